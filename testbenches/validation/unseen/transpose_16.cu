// Transposes by blocks of 16 x 16 threads, as the CUDA SDK of 2007 had them: straight, and by a tile in shared memory
// whose rows are 16 or 17 words apart.
constexpr int tile = 16;

extern "C" __global__ void transpose_naive(float* out, const float* in, int width, int height) {
  const int x = blockIdx.x * tile + threadIdx.x;
  const int y = blockIdx.y * tile + threadIdx.y;
  if (x < width && y < height) out[y + height * x] = in[x + width * y];
}

template <int pitch>
__device__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float words[tile][pitch];
  int x = blockIdx.x * tile + threadIdx.x;
  int y = blockIdx.y * tile + threadIdx.y;
  if (x < width && y < height) words[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  x = blockIdx.y * tile + threadIdx.x;
  y = blockIdx.x * tile + threadIdx.y;
  if (x < height && y < width) out[y * height + x] = words[threadIdx.x][threadIdx.y];
}

extern "C" __global__ void transpose_conflicts(float* out, const float* in, int width, int height) {
  transpose<tile>(out, in, width, height);
}

extern "C" __global__ void transpose_padded(float* out, const float* in, int width, int height) {
  transpose<tile + 1>(out, in, width, height);
}
