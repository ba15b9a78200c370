// A convolution by rows and by columns, as NVIDIA's white paper on it describes the two kernels: a block loads a tile
// with its apron into shared memory, and each thread multiplies its neighbours with the taps in constant memory. By
// rows, a block has a thread for each of 128 pixels and of the apron, whose beginning is moved to a multiple of 16
// words; by columns, 16 x 8 threads go down a tile of 16 x 48.
constexpr int row_pixels = 128, aligned = 16, column_width = 16, column_height = 48, column_threads = 8;

// Of a radius of 8; a smaller one takes the middle.
__constant__ float taps[17] = {1.f / 32, 2.f / 32, 1.f / 32, 3.f / 32, 1.f / 32, 2.f / 32, 1.f / 32, 4.f / 32, 8.f / 32,
                               2.f / 32, 1.f / 32, 1.f / 32, 1.f / 32, 1.f / 32, 1.f / 32, 1.f / 32, 1.f / 32};

template <int radius, int stride>
__device__ float sum_around(const float* pixel) {
  float sum = 0;
#pragma unroll
  for (int k = -radius; k <= radius; ++k) sum += pixel[k * stride] * taps[8 - k];
  return sum;
}

template <int radius>
__device__ void by_rows(float* to, const float* from, int width) {
  __shared__ float tile[radius + row_pixels + radius];
  const int first = __mul24(blockIdx.x, row_pixels), row = __mul24(blockIdx.y, width);
  const int loaded = first - aligned + threadIdx.x;
  if (loaded >= first - radius) tile[loaded - first + radius] = loaded >= 0 && loaded < width ? from[row + loaded] : 0;
  __syncthreads();
  const int written = first + threadIdx.x;
  if (written < first + row_pixels && written < width)
    to[row + written] = sum_around<radius, 1>(&tile[written - first + radius]);
}

template <int radius>
__device__ void by_columns(float* to, const float* from, int width, int height) {
  __shared__ float tile[(radius + column_height + radius) * column_width];
  const int x = __mul24(blockIdx.x, column_width) + threadIdx.x, first = __mul24(blockIdx.y, column_height);
  int at = __mul24(threadIdx.y, column_width) + threadIdx.x;
  for (int y = first - radius + int(threadIdx.y); y < first + column_height + radius; y += column_threads) {
    tile[at] = y >= 0 && y < height ? from[__mul24(y, width) + x] : 0;
    at += column_threads * column_width;
  }
  __syncthreads();
  at = __mul24(threadIdx.y + radius, column_width) + threadIdx.x;
  for (int y = first + int(threadIdx.y); y < min(first + column_height, height); y += column_threads) {
    to[__mul24(y, width) + x] = sum_around<radius, column_width>(&tile[at]);
    at += column_threads * column_width;
  }
}

extern "C" __global__ void rows_1(float* to, const float* from, int width) { by_rows<1>(to, from, width); }
extern "C" __global__ void rows_8(float* to, const float* from, int width) { by_rows<8>(to, from, width); }
extern "C" __global__ void columns_1(float* to, const float* from, int width, int height) {
  by_columns<1>(to, from, width, height);
}
extern "C" __global__ void columns_8(float* to, const float* from, int width, int height) {
  by_columns<8>(to, from, width, height);
}
