// Reads, increments and writes back floats in the four ways of the coalescing experiment of NVIDIA's CUDA tutorial, 2008.
extern "C" __global__ void increment(float* data) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] += 1.0f;
}

// Two threads of every half-warp stay out.
extern "C" __global__ void increment_partly(float* data) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x & 15;
  if (lane != 2 && lane != 9) data[i] += 1.0f;
}

// Neighbours swap their words.
extern "C" __global__ void increment_permuted(float* data) {
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) ^ 1;
  data[i] += 1.0f;
}

extern "C" __global__ void increment_triples(float3* data) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float3 v = data[i];
  v.x += 1.0f;
  v.y += 1.0f;
  v.z += 1.0f;
  data[i] = v;
}

// The words of a block pass through shared memory, so that neighbours read and write neighbouring words.
extern "C" __global__ void increment_triples_shared(float* data) {
  __shared__ float words[3 * 256];
  const int t = threadIdx.x;
  float* own = data + 3 * 256 * blockIdx.x;
  words[t] = own[t];
  words[t + 256] = own[t + 256];
  words[t + 512] = own[t + 512];
  __syncthreads();
  float3 v = reinterpret_cast<float3*>(words)[t];
  v.x += 1.0f;
  v.y += 1.0f;
  v.z += 1.0f;
  reinterpret_cast<float3*>(words)[t] = v;
  __syncthreads();
  own[t] = words[t];
  own[t + 256] = words[t + 256];
  own[t + 512] = words[t + 512];
}
