// The seven kernels of Harris, "Optimizing Parallel Reduction in CUDA" (2007): blocks of up to 128 threads add up
// integers in shared memory, and the sums are added up by further launches.
constexpr unsigned most_threads = 128;

// Interleaved addressing, threads chosen by a remainder: divergent.
extern "C" __global__ void reduce1(unsigned* odata, const unsigned* idata) {
  __shared__ unsigned sdata[most_threads];
  const unsigned t = threadIdx.x;
  sdata[t] = idata[blockIdx.x * blockDim.x + t];
  __syncthreads();
#pragma unroll 1
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    if (t % (2 * s) == 0) sdata[t] += sdata[t + s];
    __syncthreads();
  }
  if (t == 0) odata[blockIdx.x] = sdata[0];
}

// Interleaved addressing, threads with successive numbers: bank conflicts.
extern "C" __global__ void reduce2(unsigned* odata, const unsigned* idata) {
  __shared__ unsigned sdata[most_threads];
  const unsigned t = threadIdx.x;
  sdata[t] = idata[blockIdx.x * blockDim.x + t];
  __syncthreads();
#pragma unroll 1
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    const unsigned index = 2 * s * t;
    if (index < blockDim.x) sdata[index] += sdata[index + s];
    __syncthreads();
  }
  if (t == 0) odata[blockIdx.x] = sdata[0];
}

// Halves the number of sums until `last` are left: no bank conflicts.
__device__ void add_halves(volatile unsigned* sdata, unsigned t, unsigned last) {
#pragma unroll 1
  for (unsigned s = blockDim.x / 2; s >= last; s /= 2) {
    if (t < s) sdata[t] += sdata[t + s];
    __syncthreads();
  }
}

// The last warp, without barriers: all of its threads add; the sums of the upper ones do not matter. Where threads
// have program counters of their own, they wait for one another before and behind each write.
#if __CUDA_ARCH__ >= 700
__device__ void add_last_warp(volatile unsigned* sdata, unsigned t) {
#pragma unroll
  for (unsigned distance = 32; distance != 0; distance /= 2) {
    const unsigned other = sdata[t + distance];
    __syncwarp();
    sdata[t] += other;
    __syncwarp();
  }
}
#else
__device__ void add_last_warp(volatile unsigned* sdata, unsigned t) {
  sdata[t] += sdata[t + 32];
  sdata[t] += sdata[t + 16];
  sdata[t] += sdata[t + 8];
  sdata[t] += sdata[t + 4];
  sdata[t] += sdata[t + 2];
  sdata[t] += sdata[t + 1];
}
#endif

// Sequential addressing.
extern "C" __global__ void reduce3(unsigned* odata, const unsigned* idata) {
  __shared__ unsigned sdata[most_threads];
  const unsigned t = threadIdx.x;
  sdata[t] = idata[blockIdx.x * blockDim.x + t];
  __syncthreads();
  add_halves(sdata, t, 1);
  if (t == 0) odata[blockIdx.x] = sdata[0];
}

// The first addition during the load: half the blocks.
__device__ unsigned first_sum(const unsigned* idata) {
  const unsigned i = blockIdx.x * (2 * blockDim.x) + threadIdx.x;
  return idata[i] + idata[i + blockDim.x];
}

extern "C" __global__ void reduce4(unsigned* odata, const unsigned* idata) {
  __shared__ unsigned sdata[most_threads];
  const unsigned t = threadIdx.x;
  sdata[t] = first_sum(idata);
  __syncthreads();
  add_halves(sdata, t, 1);
  if (t == 0) odata[blockIdx.x] = sdata[0];
}

// The last warp without barriers; blocks of more than 64 threads.
extern "C" __global__ void reduce5(unsigned* odata, const unsigned* idata) {
  __shared__ unsigned sdata[most_threads];
  const unsigned t = threadIdx.x;
  sdata[t] = first_sum(idata);
  __syncthreads();
  add_halves(sdata, t, 33);
  if (t < 32) add_last_warp(sdata, t);
  if (t == 0) odata[blockIdx.x] = sdata[0];
}

__device__ void add_128(volatile unsigned* sdata, unsigned t) {
  if (t < 64) sdata[t] += sdata[t + 64];
  __syncthreads();
  if (t < 32) add_last_warp(sdata, t);
}

// All rounds unrolled, for blocks of 128 threads.
extern "C" __global__ void reduce6(unsigned* odata, const unsigned* idata) {
  __shared__ unsigned sdata[most_threads];
  const unsigned t = threadIdx.x;
  sdata[t] = first_sum(idata);
  __syncthreads();
  add_128(sdata, t);
  if (t == 0) odata[blockIdx.x] = sdata[0];
}

// Several elements per thread, for blocks of 128 threads.
extern "C" __global__ void reduce7(unsigned* odata, const unsigned* idata, unsigned n) {
  __shared__ unsigned sdata[most_threads];
  const unsigned t = threadIdx.x;
  unsigned sum = 0;
#pragma unroll 1
  for (unsigned i = blockIdx.x * (2 * most_threads) + t; i < n; i += 2 * most_threads * gridDim.x)
    sum += idata[i] + idata[i + most_threads];
  sdata[t] = sum;
  __syncthreads();
  add_128(sdata, t);
  if (t == 0) odata[blockIdx.x] = sdata[0];
}
