// Steps until z = z^2 + c leaves the circle of radius 2, at most `most`. Neighbours differ, so warps diverge.
#pragma clang fp contract(off)  // the host counts the same steps
extern "C" __global__ void mandelbrot(int* steps, int width, int height, int most) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;
  // Powers of two: exact.
  const float cx = static_cast<float>(column) * 0.015625f - 1.5f;
  const float cy = static_cast<float>(row) * 0.015625f - 0.5f;
  float x = 0;
  float y = 0;
  int k = 0;
  while (k < most) {
    const float xx = x * x;
    const float yy = y * y;
    const float xy = x * y;
    if (!(xx + yy <= 4.0f)) break;
    x = (xx - yy) + cx;
    y = (xy + xy) + cy;
    ++k;
  }
  steps[row * width + column] = k;
}
