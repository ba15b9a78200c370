// y = A x for a matrix stored by diagonals, a thread per row, x read through the texture cache (Bell and Garland,
// NVR-2008-004).
constexpr int most_diagonals = 32;
texture<float, 1> x_texture;
texture<int2, 1> x_pairs;

__device__ float value_of_x(int i, float) { return tex1Dfetch(x_texture, i); }
__device__ double value_of_x(int i, double) {
  const int2 pair = tex1Dfetch(x_pairs, i);
  return __hiloint2double(pair.y, pair.x);
}

template <class number>
__device__ void multiply(number* y, const number* data, const int* offsets, int diagonals, int rows) {
  __shared__ int offset_of[most_diagonals];
  if (threadIdx.x < diagonals) offset_of[threadIdx.x] = offsets[threadIdx.x];
  __syncthreads();
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  number sum = 0;
  for (int n = 0; n < diagonals; ++n) {
    const int column = row + offset_of[n];
    if (column >= 0 && column < rows) sum += data[row + n * rows] * value_of_x(column, number());
  }
  y[row] = sum;
}

extern "C" __global__ void spmv_diagonals(float* y, const float* data, const int* offsets, int diagonals, int rows) {
  multiply(y, data, offsets, diagonals, rows);
}

extern "C" __global__ void spmv_diagonals_double(double* y, const double* data, const int* offsets, int diagonals, int rows) {
  multiply(y, data, offsets, diagonals, rows);
}
