// Functions of namespace std, and of mixed and whole arguments, give the same in kernels as on the host.
#include <cmath>
#include <complex>
#include <cstdio>
#include <utility>

template <class T>
__host__ __device__ T std_sum(T x, int n) {
  T a = x, b = 1;
  std::swap(a, b);
  return b + std::exp(x) + std::pow(x, 2) + std::sqrt(x) + std::fabs(x) + std::floor(x) + std::abs(x) + std::abs(n) +
         std::log(x) + std::log(n) + std::atan2(x, T(2)) + std::fmod(x, 2) + std::round(x) + std::tanh(x) +
         std::hypot(x, n) + std::fmax(x, 0) + std::erf(x) + std::exchange(a, T(3));
}
template <class T>
__host__ __device__ T mixed_sum(T x, int n, unsigned long long u) {
  return pow(x, n) + pow(n, 2) + pow(n, 0.5) + pow(2.0f, x) + sqrt(n) + exp(n) + sin(n) + fmax(x, 0.0) + fmin(n, x) +
         fmod(x, 1.25) + floor(n / 2.0f) + fma(x, 2, 1.0) + rsqrtf(n) + max(u, 3ll) + min(-1l, 2l);
}
__global__ void sums(float* f, double* d, int n) {
  f[1] = std_sum(f[0], n) + mixed_sum(f[0], n, 5);
  d[1] = std_sum(d[0], n) + mixed_sum(d[0], n, 5);
}
__global__ void add_unsigned(double* d, unsigned n) {
#if __CUDA_ARCH__ >= 600
  atomicAdd(d, n);
#else
  *d += n;
#endif
}

int main() {
  float f[2] = {1.5f, 0}, *df;
  double d[2] = {1.25, 0}, *dd;
  cudaMalloc(&df, sizeof f);
  cudaMalloc(&dd, sizeof d);
  cudaMemcpy(df, f, sizeof f, cudaMemcpyHostToDevice);
  cudaMemcpy(dd, d, sizeof d, cudaMemcpyHostToDevice);
  sums<<<1, 1>>>(df, dd, 3);
  add_unsigned<<<1, 1>>>(dd, 7);
  cudaMemcpy(f, df, sizeof f, cudaMemcpyDeviceToHost);
  cudaMemcpy(d, dd, sizeof d, cudaMemcpyDeviceToHost);
  const double f_wanted = std_sum(1.5f, 3) + mixed_sum(1.5f, 3, 5), d_wanted = std_sum(1.25, 3) + mixed_sum(1.25, 3, 5);
  const std::complex<float> c = std::exp(std::complex<float>(0, 0));
  std::printf("%.9g, host %.9g; %.17g, host %.17g; %g, %g\n", f[1], f_wanted, d[1], d_wanted, d[0], c.real());
  return !(std::fabs(f[1] - f_wanted) < 1e-5 * f_wanted && std::fabs(d[1] - d_wanted) < 1e-8 * d_wanted && d[0] == 8.25 &&
           c.real() == 1);
}
