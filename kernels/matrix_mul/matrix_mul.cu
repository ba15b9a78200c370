// C = A * B, three ways: row by column from device memory; tiles of 16 x 16 in shared memory; tiles with four elements
// of C per thread in registers.
constexpr int tile = 16;

extern "C" __global__ void matrix_mul_naive(float* c, const float* a, const float* b, int width_a, int width_b) {
  const int x = blockIdx.x * tile + threadIdx.x;
  const int y = blockIdx.y * tile + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < width_a; ++k) sum += a[y * width_a + k] * b[k * width_b + x];
  c[y * width_b + x] = sum;
}

extern "C" __global__ void matrixMul_bs16_32bit(float* c, const float* a, const float* b, int width_a, int width_b) {
  __shared__ float tile_a[tile][tile];
  __shared__ float tile_b[tile][tile];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int x = blockIdx.x * tile + tx;
  const int y = blockIdx.y * tile + ty;
  float sum = 0;
  for (int first = 0; first < width_a; first += tile) {
    tile_a[ty][tx] = a[y * width_a + first + tx];
    tile_b[ty][tx] = b[(first + ty) * width_b + x];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < tile; ++k) sum += tile_a[ty][k] * tile_b[k][tx];
    __syncthreads();
  }
  c[y * width_b + x] = sum;
}

// A block of 16 x 4 threads computes a tile of 16 x 16.
extern "C" __global__ void matrix_mul_blocked(float* c, const float* a, const float* b, int width_a, int width_b) {
  __shared__ float tile_a[tile][tile];
  __shared__ float tile_b[tile][tile];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int x = blockIdx.x * tile + tx;
  const int y = blockIdx.y * tile + ty;
  float sum[4] = {0, 0, 0, 0};
  for (int first = 0; first < width_a; first += tile) {
#pragma unroll
    for (int r = 0; r < 4; ++r) {
      tile_a[ty + 4 * r][tx] = a[(y + 4 * r) * width_a + first + tx];
      tile_b[ty + 4 * r][tx] = b[(first + ty + 4 * r) * width_b + x];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < tile; ++k) {
      const float element = tile_b[k][tx];
#pragma unroll
      for (int r = 0; r < 4; ++r) sum[r] += tile_a[ty + 4 * r][k] * element;
    }
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < 4; ++r) c[(y + 4 * r) * width_b + x] = sum[r];
}
