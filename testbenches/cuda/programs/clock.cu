// Readings of the clock, as times, are what events measure.
#include <stdio.h>

__global__ void sums(unsigned* out, unsigned steps) {
  const unsigned begin = clock();
#if __CUDA_ARCH__ >= 200
  unsigned long long long_begin, long_end;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(long_begin));
#endif
  unsigned sum = threadIdx.x;
  for (unsigned k = 0; k < steps; ++k) sum = sum * 5 + k;
  out[1] = sum;
  __syncthreads();
#if __CUDA_ARCH__ >= 200
  unsigned upper;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(long_end));
  asm volatile("mov.u32 %0, %%clock_hi;" : "=r"(upper));
  out[2] = (unsigned)(long_end - long_begin);
  out[3] = (unsigned)(long_end >> 32) + upper;
#endif
  out[0] = clock() - begin;
}

static int failures = 0;
static void expect_near(const char* what, double got, double wanted) {
  if (got > 0.99 * wanted && got < 1.01 * wanted) return;
  printf("%s: %g ms, not %g ms\n", what, got, wanted), ++failures;
}

int main() {
  unsigned *out, words[2][4];
  float times[2];
  cudaDeviceProp p;
  cudaEvent_t begin, end;
  cudaGetDeviceProperties(&p, 0);
  cudaMalloc(&out, sizeof words[0]);
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  // The difference of two grids is that of their steps, without what a grid takes to begin and end. The first one of
  // all finds empty caches. Its end is waited for: a launch behind a grid that runs would hide its overhead.
  sums<<<1, 32>>>(out, 1000);
  cudaThreadSynchronize();
  for (int k = 0; k < 2; ++k) {
    cudaEventRecord(begin, 0);
    sums<<<1, 32>>>(out, 1000 + 4000 * k);
    cudaEventRecord(end, 0);
    cudaEventElapsedTime(&times[k], begin, end);
    cudaMemcpy(words[k], out, sizeof words[k], cudaMemcpyDeviceToHost);
  }
  expect_near("clock()", (double)(words[1][0] - words[0][0]) / p.clockRate, times[1] - times[0]);
  if (p.major >= 2) {
    expect_near("%clock64", (double)(words[1][2] - words[0][2]) / p.clockRate, times[1] - times[0]);
    if (words[1][3] != 0) printf("the upper half is %u\n", words[1][3]), ++failures;
  }
  return failures;
}
