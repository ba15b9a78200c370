// 2D convolution with a filter of 5 x 5: the image is read through a texture that clamps at its edges.
constexpr int radius = 2;
constexpr int size = 2 * radius + 1;
__constant__ float filter[size * size];
texture<float, 2> image;

extern "C" __global__ void convolution(float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
#pragma unroll
  for (int j = 0; j < size; ++j) {
#pragma unroll
    for (int i = 0; i < size; ++i)
      sum += filter[j * size + i] * tex2D(image, x + i - radius + 0.5f, y + j - radius + 0.5f);
  }
  out[y * width + x] = sum;
}
