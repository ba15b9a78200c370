// y = A x for a sparse matrix in compressed rows, one thread per row.
extern "C" __global__ void spmv(const int* first, const int* column, const float* element, const float* x, float* y, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  const int end = first[row + 1];
  for (int k = first[row]; k < end; ++k) sum += element[k] * x[column[k]];
  y[row] = sum;
}
