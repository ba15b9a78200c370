// Code of one warp without barriers and without volatile: what a thread stores, the other threads of its warp read in
// the next statement. Programs for compute capability 1.x were written so.
#include <stdio.h>
#include <stdlib.h>

enum { threads = 32 };

// Partners at t ^ d: no thread reads the element it writes itself.
__global__ void butterfly(const int* in, int* out) {
  __shared__ int s[threads];
  const int t = threadIdx.x;
  s[t] = in[t];
  s[t] += s[t ^ 16];
  s[t] += s[t ^ 8];
  s[t] += s[t ^ 4];
  s[t] += s[t ^ 2];
  s[t] += s[t ^ 1];
  out[t] = s[t];
}

// The element a thread writes stays the same in the whole loop.
__global__ void loop(const int* in, int* out) {
  __shared__ int s[2 * threads];
  const int t = threadIdx.x;
  s[t + threads] = 0;
  s[t] = in[t];
  for (int d = threads / 2; d > 0; d >>= 1)
    if (t < d) s[t] += s[t + d];
  out[t] = s[0];
}

int main() {
  int in[threads], out[threads], total = 0, wrong = 0;
  for (int t = 0; t < threads; ++t) total += in[t] = t * t + 3;

  int *a, *b;
  if (cudaMalloc((void**)&a, sizeof in) != cudaSuccess || cudaMalloc((void**)&b, sizeof out) != cudaSuccess) return 1;
  cudaMemcpy(a, in, sizeof in, cudaMemcpyHostToDevice);
  for (int k = 0; k < 2; ++k) {
    if (k == 0) butterfly<<<1, threads>>>(a, b);
    if (k == 1) loop<<<1, threads>>>(a, b);
    if (cudaMemcpy(out, b, sizeof out, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    for (int t = 0; t < threads; ++t)
      if (out[t] != total) printf("kernel %d, thread %d: %d, expected %d\n", k, t, out[t], total), ++wrong;
  }
  return wrong != 0;
}
