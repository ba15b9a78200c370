// Arithmetic of halves and bfloat16 on both sides, and atomic operations of 64 bits. Compute capability 7.0.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cstdio>

__host__ __device__ void compute(int k, float* r) {
  const __half a = __float2half(0.1f * k), b = __float2half(3.0f - k);
  const __half2 p = __halves2half2(a, b);
  r[0] = __half2float(a + b);
  r[1] = __half2float(__hfma(a, b, a));
  r[2] = __low2float(__hmul2(p, p));
  r[3] = __high2float(__hsub2(p, __float2half2_rn(0.5f)));
  r[4] = a < b ? 1.0f : 0.0f;
  r[5] = __bfloat162float(__float2bfloat16(0.1f * k) * __float2bfloat16(3.0f));
}
__global__ void results(float* r, unsigned long long* sums, double* sum) {
  compute(threadIdx.x, r + 6 * threadIdx.x);
  atomicMax(&sums[0], 1ull << 40 | threadIdx.x);
  atomicOr(&sums[1], 1ull << threadIdx.x);
  atomicMin(reinterpret_cast<long long*>(&sums[2]), -static_cast<long long>(threadIdx.x));
  atomicAdd(sum, 0.25);
}

int main() {
  float *r, got[6 * 64], expected[6];
  unsigned long long *s, sums[3] = {0, 0, 0};
  double *t, sum = 0;
  cudaMalloc(&r, sizeof got);
  cudaMalloc(&s, sizeof sums);
  cudaMalloc(&t, sizeof sum);
  cudaMemcpy(s, sums, sizeof sums, cudaMemcpyHostToDevice);
  cudaMemcpy(t, &sum, sizeof sum, cudaMemcpyHostToDevice);
  results<<<1, 64>>>(r, s, t);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  if (error != cudaSuccess) return puts(cudaGetErrorName(error)), 1;
  cudaMemcpy(got, r, sizeof got, cudaMemcpyDeviceToHost);
  cudaMemcpy(sums, s, sizeof sums, cudaMemcpyDeviceToHost);
  cudaMemcpy(&sum, t, sizeof sum, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int k = 0; k < 64; ++k) {
    compute(k, expected);
    for (int v = 0; v < 6; ++v)
      if (got[6 * k + v] != expected[v] && ++wrong < 10)
        printf("%d, value %d: %g instead of %g\n", k, v, got[6 * k + v], expected[v]);
  }
  if (sums[0] != (1ull << 40 | 63) || sums[1] != ~0ull || static_cast<long long>(sums[2]) != -63 || sum != 16)
    ++wrong, puts("atomic operations");
  puts(wrong == 0 ? "PASS" : "FAIL");
  return wrong != 0;
}
