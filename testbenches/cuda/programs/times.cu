// Times of the device: copies within device memory and fills take time, a copy twice that of a fill, in proportion to
// their bytes; a grid of one block does not run on all SMs.
#include <stdio.h>

enum { megabyte = 1 << 20 };

__global__ void count(int* out, int steps) {
  int sum = 0;
  for (int k = 0; k < steps; ++k) {
    sum += k ^ sum;
    __syncthreads();
  }
  out[blockIdx.x] = sum;
}

static cudaEvent_t begin, end;

static float milliseconds() {
  float time = -1;
  cudaEventRecord(end, 0);
  cudaEventSynchronize(end);
  cudaEventElapsedTime(&time, begin, end);
  return time;
}

static float of_copy(char* to, const char* from, size_t bytes) {
  cudaEventRecord(begin, 0);
  cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
  return milliseconds();
}

static float of_fill(char* to, size_t bytes) {
  cudaEventRecord(begin, 0);
  cudaMemset(to, 0, bytes);
  return milliseconds();
}

static float of_grid(int* out, int blocks) {
  cudaEventRecord(begin, 0);
  count<<<blocks, 32>>>(out, 1000);
  return milliseconds();
}

static int failures = 0;
static void expect_ratio(const char* what, float a, float b, float least, float most) {
  if (a >= least * b && a <= most * b && b > 0) return;
  printf("%s: %g ms and %g ms\n", what, a, b), ++failures;
}

int main() {
  char *a, *b;
  cudaMalloc((void**)&a, 8 * megabyte);
  cudaMalloc((void**)&b, 8 * megabyte);
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  expect_ratio("copies of 8 and 4 MB", of_copy(a, b, 8 * megabyte), of_copy(a, b, 4 * megabyte), 1.99f, 2.01f);
  expect_ratio("copy and fill", of_copy(a, b, 8 * megabyte), of_fill(a, 8 * megabyte), 1.99f, 2.01f);
  // 16 MB read and written at 141.7 GB/s.
  expect_ratio("a copy of 8 MB", of_copy(a, b, 8 * megabyte), 0.1184f, 0.99f, 1.01f);
  expect_ratio("30 blocks and 1 block", of_grid((int*)a, 30), of_grid((int*)a, 1), 0.9f, 1.5f);
  return failures != 0;
}
