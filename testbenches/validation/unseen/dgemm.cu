// C = A B in double precision by the scheme of Volkov and Demmel (SC 2008): 64 threads compute 64 x 16 elements, a column
// of A in registers, a tile of 16 x 16 of B in shared memory. Columns of A and C lie m, of B k elements apart.
constexpr int tile = 16;

extern "C" __global__ void dgemm(double* c, const double* a, const double* b, int m, int k) {
  __shared__ double tile_b[tile][tile + 1];
  const int t = threadIdx.x;
  const int x = t & 15;
  const int y = t >> 4;
  a += blockIdx.x * 64 + t;
  b += x + (blockIdx.y * tile + y) * k;
  c += blockIdx.x * 64 + t + blockIdx.y * tile * m;
  double sum[tile];
#pragma unroll
  for (int j = 0; j < tile; ++j) sum[j] = 0;
  for (int first = 0; first < k; first += tile) {
#pragma unroll
    for (int j = 0; j < tile; j += 4) tile_b[x][y + j] = b[j * k];
    b += tile;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < tile; ++i) {
      const double element = *a;
      a += m;
#pragma unroll
      for (int j = 0; j < tile; ++j) sum[j] = fma(element, tile_b[i][j], sum[j]);
    }
    __syncthreads();
  }
#pragma unroll
  for (int j = 0; j < tile; ++j) c[j * m] = sum[j];
}
