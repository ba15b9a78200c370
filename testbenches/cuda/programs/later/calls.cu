// Recursion, calls through pointers and virtual functions, with local variables and values that live across calls.
// Compute capability 2.0.
#include <cstdio>

__device__ int fibonacci(int n) { return n < 2 ? 1 : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ __noinline__ int odd(int n);
__device__ __noinline__ int even(int n) { return n == 0 ? 1 : odd(n - 1); }
__device__ __noinline__ int odd(int n) { return n == 0 ? 0 : even(n - 1); }
// An array of its own in every call.
__device__ __noinline__ long long digits(int n, int depth) {
  int own[4];
  for (int k = 0; k < 4; ++k) own[(k + n) & 3] = depth * 10 + k;
  const long long inner = depth == 0 ? 0 : digits(n, depth - 1);
  return inner * 100 + own[n & 3];
}
typedef double (*operation)(double, double);
__device__ __noinline__ double sum(double a, double b) { return a + b; }
__device__ __noinline__ double product(double a, double b) { return a * b; }
__device__ operation table[2] = {sum, product};
struct shape {
  __device__ virtual float area() const = 0;
  __device__ virtual ~shape() {}
};
struct square : shape {
  float a;
  __device__ square(float side) : a(side) {}
  __device__ float area() const override { return a * a; }
};
struct box : shape {
  float a, b;
  __device__ box(float x, float y) : a(x), b(y) {}
  __device__ float area() const override { return a * b; }
};

__global__ void results(long long* d, double* r) {
  const int t = threadIdx.x;
  d[3 * t] = fibonacci(t % 12);
  d[3 * t + 1] = even(t);
  d[3 * t + 2] = digits(t, t % 4);
  const square s(t);
  const box b(t, 2);
  const shape* const either = t % 2 != 0 ? static_cast<const shape*>(&s) : &b;
  r[t] = table[t % 3 == 0](t, 3) + either->area();
}

int main() {
  const int threads = 64;
  long long *d, h[3 * threads];
  double *r, real[threads];
  cudaMalloc(&d, sizeof h);
  cudaMalloc(&r, sizeof real);
  results<<<1, threads>>>(d, r);
  if (const cudaError_t e = cudaDeviceSynchronize()) return puts(cudaGetErrorName(e)), 1;
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaMemcpy(real, r, sizeof real, cudaMemcpyDeviceToHost);
  int wrong = 0;
  const int numbers[] = {1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144};
  for (int t = 0; t < threads; ++t) {
    long long all = 0;
    for (int depth = 0; depth <= t % 4; ++depth) all = all * 100 + depth * 10;
    const double expected = (t % 3 == 0 ? t * 3.0 : t + 3.0) + (t % 2 != 0 ? t * t : 2.0 * t);
    const long long wanted[] = {numbers[t % 12], t % 2 == 0, all};
    for (int k = 0; k < 3; ++k)
      if (h[3 * t + k] != wanted[k] && ++wrong < 10)
        printf("thread %d, value %d: %lld instead of %lld\n", t, k, h[3 * t + k], wanted[k]);
    if (real[t] != expected && ++wrong < 10) printf("thread %d: %g instead of %g\n", t, real[t], expected);
  }
  puts(wrong == 0 ? "PASS" : "FAIL");
  return wrong != 0;
}
