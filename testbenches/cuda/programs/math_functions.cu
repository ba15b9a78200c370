// The device's functions of one argument against those of the host in higher precision: the largest error of each,
// in units in the last place of the result, must stay below what is stated here. Prints the errors.
#include <math.h>
#include <stdio.h>

#define COUNT 20000

// Name, lowest and highest argument, allowed error.
#define FLOAT_FUNCTIONS(X)   \
  X(sqrtf, 0, 1e10, 3)       \
  X(rsqrtf, 1e-10, 1e10, 2)  \
  X(cbrtf, -1e5, 1e5, 8)     \
  X(expf, -80, 80, 6)        \
  X(exp2f, -120, 120, 4)     \
  X(exp10f, -30, 30, 8)      \
  X(expm1f, -10, 10, 10)     \
  X(logf, 1e-30, 1e30, 4)    \
  X(log2f, 1e-30, 1e30, 4)   \
  X(log10f, 1e-30, 1e30, 4)  \
  X(log1pf, -0.9, 100, 6)    \
  X(sinf, -3, 3, 4)          \
  X(cosf, -3, 3, 4)          \
  X(tanf, -1.5, 1.5, 6)      \
  X(asinf, -1, 1, 8)         \
  X(acosf, -1, 0.99, 8)      \
  X(atanf, -100, 100, 8)     \
  X(sinhf, -20, 20, 10)      \
  X(coshf, -20, 20, 8)       \
  X(tanhf, -10, 10, 8)       \
  X(asinhf, -100, 100, 10)   \
  X(acoshf, 1.5, 100, 10)    \
  X(atanhf, -0.99, 0.99, 10) \
  X(erff, -4, 4, 10)         \
  X(erfcf, -4, 8, 80)        \
  X(tgammaf, 0.1, 30, 4)     \
  X(floorf, -1e6, 1e6, 0)    \
  X(rintf, -1e6, 1e6, 0)     \
  X(roundf, -1e6, 1e6, 0)
#define DOUBLE_FUNCTIONS(X)  \
  X(sqrt, 0, 1e100, 1)       \
  X(cbrt, -1e5, 1e5, 4)      \
  X(exp, -700, 700, 4)       \
  X(exp2, -1000, 1000, 4)    \
  X(expm1, -10, 10, 10)      \
  X(log, 1e-150, 1e150, 2)   \
  X(log2, 1e-150, 1e150, 3)  \
  X(log10, 1e-150, 1e150, 3) \
  X(log1p, -0.9, 100, 6)     \
  X(sin, -3, 3, 4)           \
  X(cos, -1.5, 1.5, 4)       \
  X(tan, -1.5, 1.5, 8)       \
  X(asin, -1, 1, 8)          \
  X(acos, -1, 0.99, 8)       \
  X(atan, -100, 100, 6)      \
  X(sinh, -20, 20, 10)       \
  X(cosh, -20, 20, 8)        \
  X(tanh, -10, 10, 8)        \
  X(asinh, -100, 100, 10)    \
  X(acosh, 1.5, 100, 10)     \
  X(atanh, -0.99, 0.99, 10)  \
  X(erf, -5, 5, 20)          \
  X(erfc, -5, 20, 800)       \
  X(tgamma, 0.1, 100, 2000)  \
  X(lgamma, 3, 1000, 25)

#define KERNEL(T, F)                                                                        \
  __global__ void k_##F(T* v) {                                                             \
    v[blockIdx.x * blockDim.x + threadIdx.x] = F(v[blockIdx.x * blockDim.x + threadIdx.x]); \
  }
#define FLOAT_KERNEL(F, LOW, HIGH, ALLOWED) KERNEL(float, F)
#define DOUBLE_KERNEL(F, LOW, HIGH, ALLOWED) KERNEL(double, F)
FLOAT_FUNCTIONS(FLOAT_KERNEL)
DOUBLE_FUNCTIONS(DOUBLE_KERNEL)

static unsigned state = 1;
static double uniform() {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) / 16777216.0;
}
// Uniform in the logarithm if the range is positive and wide, else in the value.
static double argument(double low, double high) {
  const double u = uniform();
  return low > 0 && high / low > 1e4 ? low * pow(high / low, u) : low + (high - low) * u;
}

static int failures = 0;

template <class T, class W>
void check(const char* name, void (*kernel)(T*), W (*reference)(W), double low, double high, double allowed,
           int bits) {
  static T in[COUNT], out[COUNT];
  T* device;
  const int threads = 200;
  for (int k = 0; k < COUNT; ++k) in[k] = (T)argument(low, high);
  cudaMalloc(&device, sizeof in);
  cudaMemcpy(device, in, sizeof in, cudaMemcpyHostToDevice);
  kernel<<<COUNT / threads, threads>>>(device);
  if (cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost) != cudaSuccess) ++failures;
  cudaFree(device);
  double worst = 0;
  int at = 0;
  for (int k = 0; k < COUNT; ++k) {
    const W wanted = reference((W)in[k]);
    int exponent;
    frexp((double)wanted, &exponent);
    const double unit = ldexp(1.0, exponent - bits);
    const double error = fabs((double)((W)out[k] - wanted)) / unit;
    if (!(error <= worst)) {
      worst = error;
      at = k;
    }
  }
  printf("%-8s %10.3f units at %.9g\n", name, worst, (double)in[at]);
  if (!(worst <= allowed)) {
    printf("  wrong: %g allowed\n", allowed);
    ++failures;
  }
}

static double host_rsqrtf(double x) { return 1 / sqrt(x); }
static double host_exp10f(double x) { return pow(10.0, x); }
#define HOST(F) \
  static double host_##F##f(double x) { return F(x); }
HOST(sqrt)
HOST(cbrt)
HOST(exp) HOST(exp2) HOST(expm1) HOST(log) HOST(log2) HOST(log10) HOST(log1p) HOST(sin) HOST(cos) HOST(tan)
    HOST(asin) HOST(acos) HOST(atan) HOST(sinh) HOST(cosh) HOST(tanh) HOST(asinh) HOST(acosh) HOST(atanh) HOST(erf)
        HOST(erfc) HOST(tgamma) HOST(floor) HOST(rint) HOST(round)

            int main() {
#define CHECK_FLOAT(F, LOW, HIGH, ALLOWED) check<float, double>(#F, k_##F, host_##F, LOW, HIGH, ALLOWED, 24);
#define CHECK_DOUBLE(F, LOW, HIGH, ALLOWED) check<double, long double>(#F, k_##F, F##l, LOW, HIGH, ALLOWED, 53);
  FLOAT_FUNCTIONS(CHECK_FLOAT)
  DOUBLE_FUNCTIONS(CHECK_DOUBLE)
  printf("%d failures\n", failures);
  return failures != 0;
}
