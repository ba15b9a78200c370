// C = A B by tiles of 16 x 16 in shared memory, the loop over a tile as it stands (Ryoo et al., PPoPP 2008).
// Rows of all matrices are `pitch` elements apart; `terms` is the inner dimension.
constexpr int tile = 16;

extern "C" __global__ void tiles_in_loop(float* c, const float* a, const float* b, int pitch, int terms) {
  __shared__ float tile_a[tile][tile];
  __shared__ float tile_b[tile][tile];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int x = blockIdx.x * tile + tx;
  const int y = blockIdx.y * tile + ty;
  float sum = 0;
  for (int first = 0; first < terms; first += tile) {
    tile_a[ty][tx] = a[y * pitch + first + tx];
    tile_b[ty][tx] = b[(first + ty) * pitch + x];
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < tile; ++k) sum += tile_a[ty][k] * tile_b[k][tx];
    __syncthreads();
  }
  c[y * pitch + x] = sum;
}
