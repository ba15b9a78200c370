// The eight kernels of Ruetsch and Micikevicius, "Optimizing Matrix Transpose in CUDA" (2010): a matrix of floats is copied
// or transposed by blocks of 32 x 8 threads, each for a tile of 32 x 32. Width and height are multiples of 32.
constexpr int tile_size = 32;
constexpr int rows = 8;

// Element (x, y) of the tile at (tile_x, tile_y) of a matrix.
__device__ int element(int tile_x, int tile_y, int x, int y, int width) {
  return (tile_y * tile_size + y) * width + tile_x * tile_size + x;
}

extern "C" __global__ void copy(float* odata, const float* idata, int width, int) {
  const int at = element(blockIdx.x, blockIdx.y, threadIdx.x, threadIdx.y, width);
#pragma unroll
  for (int i = 0; i < tile_size; i += rows) odata[at + i * width] = idata[at + i * width];
}

extern "C" __global__ void copy_shared(float* odata, const float* idata, int width, int) {
  __shared__ float tile[tile_size][tile_size];
  const int at = element(blockIdx.x, blockIdx.y, threadIdx.x, threadIdx.y, width);
#pragma unroll
  for (int i = 0; i < tile_size; i += rows) tile[threadIdx.y + i][threadIdx.x] = idata[at + i * width];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < tile_size; i += rows) odata[at + i * width] = tile[threadIdx.y + i][threadIdx.x];
}

extern "C" __global__ void naive(float* odata, const float* idata, int width, int height) {
  const int in = element(blockIdx.x, blockIdx.y, threadIdx.x, threadIdx.y, width);
  const int out = element(blockIdx.y, blockIdx.x, threadIdx.y, threadIdx.x, height);
#pragma unroll
  for (int i = 0; i < tile_size; i += rows) odata[out + i] = idata[in + i * width];
}

// `columns` in shared memory: one more than a tile has puts the words of a column into different banks. FINE:
// transposes within the tile; COARSE: exchanges the tiles.
template <int columns, bool fine, bool coarse>
__device__ void transpose(float* odata, const float* idata, int width, int height, int tile_x, int tile_y) {
  __shared__ float tile[tile_size][columns];
  const int in = element(tile_x, tile_y, threadIdx.x, threadIdx.y, width);
  const int out = coarse ? element(tile_y, tile_x, threadIdx.x, threadIdx.y, height) : in;
#pragma unroll
  for (int i = 0; i < tile_size; i += rows) tile[threadIdx.y + i][threadIdx.x] = idata[in + i * width];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < tile_size; i += rows)
    odata[out + i * height] = fine ? tile[threadIdx.x][threadIdx.y + i] : tile[threadIdx.y + i][threadIdx.x];
}

extern "C" __global__ void coalesced(float* odata, const float* idata, int width, int height) {
  transpose<tile_size, true, true>(odata, idata, width, height, blockIdx.x, blockIdx.y);
}

extern "C" __global__ void conflict_free(float* odata, const float* idata, int width, int height) {
  transpose<tile_size + 1, true, true>(odata, idata, width, height, blockIdx.x, blockIdx.y);
}

extern "C" __global__ void fine_grained(float* odata, const float* idata, int width, int height) {
  transpose<tile_size + 1, true, false>(odata, idata, width, height, blockIdx.x, blockIdx.y);
}

extern "C" __global__ void coarse_grained(float* odata, const float* idata, int width, int height) {
  transpose<tile_size + 1, false, true>(odata, idata, width, height, blockIdx.x, blockIdx.y);
}

// Spreads blocks that run at the same time over the partitions; for square matrices.
extern "C" __global__ void diagonal(float* odata, const float* idata, int width, int height) {
  transpose<tile_size + 1, true, true>(odata, idata, width, height, (blockIdx.x + blockIdx.y) % gridDim.x, blockIdx.x);
}
