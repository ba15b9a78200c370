// C = A * B in double precision, 16 x 16 tiles in shared memory. Multiply-adds of double precision are fused.
constexpr int tile = 16;

extern "C" __global__ void dmatmul(double* c, const double* a, const double* b, int n) {
  __shared__ double tile_a[tile][tile];
  __shared__ double tile_b[tile][tile];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int x = blockIdx.x * tile + tx;
  const int y = blockIdx.y * tile + ty;
  double sum = 0;
  for (int first = 0; first < n; first += tile) {
    tile_a[ty][tx] = a[y * n + first + tx];
    tile_b[ty][tx] = b[(first + ty) * n + x];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < tile; ++k) sum = __builtin_fma(tile_a[ty][k], tile_b[k][tx], sum);
    __syncthreads();
  }
  c[y * n + x] = sum;
}
