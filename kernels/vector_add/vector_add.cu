// C[i] = A[i] + B[i] for i < n, one element per thread.
extern "C" __global__ void VecAdd(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
