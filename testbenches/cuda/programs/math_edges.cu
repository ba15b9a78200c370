// Functions of the device where a plain formula fails: zeros, infinities, overflow on the way, halves, denormal
// numbers, and angles of any size. The host's functions are the reference; its results are within 1 unit.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <vector>

#define FLOAT_FUNCTIONS(X)                                                                                        \
  X(roundf, 0)                                                                                                    \
  X(sqrtf, 3) X(cbrtf, 4) X(expf, 8) X(exp10f, 10) X(expm1f, 12) X(logf, 6) X(log2f, 6) X(log10f, 6) X(log1pf, 8) \
      X(sinf, 6) X(cosf, 6) X(tanf, 10) X(sinhf, 16) X(coshf, 16) X(tanhf, 10) X(asinhf, 12) X(acoshf, 12)        \
          X(atanhf, 12) X(erfcf, 60)
#define DOUBLE_FUNCTIONS(X)                                                                                      \
  X(round, 0)                                                                                                    \
  X(cbrt, 6) X(exp, 6) X(exp10, 8) X(expm1, 12) X(log, 3) X(sin, 6) X(cos, 6) X(tan, 10) X(sinh, 16) X(cosh, 16) \
      X(asinh, 12) X(acosh, 12) X(atanh, 12) X(erfc, 60)
#define FLOAT_PAIRS(X) X(fmodf, 0) X(remainderf, 0) X(hypotf, 4) X(powf, 2)
#define DOUBLE_PAIRS(X) X(fmod, 0) X(remainder, 0) X(hypot, 4) X(pow, 20)

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
#define ONE(T, F) \
  __global__ void k_##F(const T* a, const T*, T* out) { out[INDEX] = F(a[INDEX]); }
#define TWO(T, F) \
  __global__ void k_##F(const T* a, const T* b, T* out) { out[INDEX] = F(a[INDEX], b[INDEX]); }
#define ONE_FLOAT(F, ALLOWED) ONE(float, F)
#define ONE_DOUBLE(F, ALLOWED) ONE(double, F)
#define TWO_FLOAT(F, ALLOWED) TWO(float, F)
#define TWO_DOUBLE(F, ALLOWED) TWO(double, F)
FLOAT_FUNCTIONS(ONE_FLOAT)
DOUBLE_FUNCTIONS(ONE_DOUBLE)
FLOAT_PAIRS(TWO_FLOAT)
DOUBLE_PAIRS(TWO_DOUBLE)

__global__ void tell_capability(int* out) {
#ifdef __CUDA_ARCH__
  *out = __CUDA_ARCH__;
#endif
}

static int failures = 0;
static double smallest_float = 0;  // below: zeros, on a chip without denormal floats

static double units(double value, double wanted, int bits, int lowest) {
  if (value == wanted || (value != value && wanted != wanted)) return 0;
  if (bits == 24 && fabs(wanted) < smallest_float && fabs(value) <= smallest_float) return 0;
  if (isinf(value) || isinf(wanted) || value != value || wanted != wanted) return 1e30;
  int exponent;
  frexp(wanted, &exponent);
  return fabs(value - wanted) / ldexp(1.0, (exponent < lowest ? lowest : exponent) - bits);
}

template <class T, class F>
static void check(const char* name, void (*kernel)(const T*, const T*, T*), F host, const std::vector<T>& a,
                  const std::vector<T>& b, double allowed) {
  const size_t bytes = a.size() * sizeof(T);
  std::vector<T> out(a.size());
  T *da, *db, *dout;
  cudaMalloc(&da, bytes);
  cudaMalloc(&db, bytes);
  cudaMalloc(&dout, bytes);
  cudaMemcpy(da, a.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), bytes, cudaMemcpyHostToDevice);
  kernel<<<static_cast<int>(a.size() / 64), 64>>>(da, db, dout);
  if (cudaMemcpy(out.data(), dout, bytes, cudaMemcpyDeviceToHost) != cudaSuccess) ++failures;
  cudaFree(da);
  cudaFree(db);
  cudaFree(dout);
  for (size_t i = 0; i < a.size(); ++i) {
    const T wanted = host(a[i], b[i]);
    const double error = units(out[i], wanted, sizeof(T) == 4 ? 24 : 53, sizeof(T) == 4 ? -125 : -1021);
    if (error <= allowed) continue;
    printf("%s(%.17g, %.17g): %.17g, not %.17g\n", name, double(a[i]), double(b[i]), double(out[i]),
           double(wanted));
    ++failures;
  }
}

template <class T>
static std::vector<T> arguments() {
  std::vector<T> all;
  const double inf = HUGE_VAL;
  for (const double x : {0.0,
                         0.5,
                         0.49999997,
                         0.49999999999999994,
                         1.0,
                         1.5,
                         2.5,
                         3.0,
                         8388607.5,
                         8388609.0,
                         16777215.0,
                         4503599627370497.0,
                         4503599627370495.5,
                         1e-30,
                         1e10,
                         1e20,
                         1e30,
                         88.0,
                         88.9,
                         89.2,
                         100.0,
                         103.0,
                         709.5,
                         710.2,
                         744.0,
                         1e5,
                         123456.789,
                         1e6,
                         1e7,
                         3.4e38,
                         inf,
                         1e-40})
    for (const double sign : {1.0, -1.0}) all.push_back(static_cast<T>(sign * x));
  unsigned state = 1;
  while (all.size() < 512) {
    state = state * 1664525u + 1013904223u;
    T x = 0;
    const unsigned words[] = {state * 2654435761u, state ^ state << 16};
    memcpy(&x, words, sizeof x);
    if (x - x == 0 && fabs(double(x)) > smallest_float) all.push_back(x);
    all.push_back(static_cast<T>((state >> 8) % 2000 * 0.37 - 370));
  }
  all.resize(512);
  if (smallest_float != 0 && sizeof(T) == 4) all[62] = all[63] = 0;  // 1e-40
  return all;
}

int main() {
  int *device, capability = 0;
  cudaMalloc(&device, sizeof capability);
  tell_capability<<<1, 1>>>(device);
  cudaMemcpy(&capability, device, sizeof capability, cudaMemcpyDeviceToHost);
  if (capability < 200) smallest_float = 1.17549435e-38;
  const std::vector<float> f = arguments<float>();
  const std::vector<double> d = arguments<double>();
  std::vector<float> f2(f.size());
  std::vector<double> d2(d.size());
  for (size_t i = 0; i < f.size(); ++i) f2[i] = f[(i * 7 + 3) % f.size()], d2[i] = d[(i * 7 + 3) % d.size()];
#define CHECK_FLOAT(F, ALLOWED) \
  check<float>(                 \
      #F, k_##F, [](float a, float) { return ::F(a); }, f, f2, ALLOWED);
#define CHECK_DOUBLE(F, ALLOWED) \
  check<double>(                 \
      #F, k_##F, [](double a, double) { return ::F(a); }, d, d2, ALLOWED);
#define CHECK_FLOATS(F, ALLOWED) \
  check<float>(                  \
      #F, k_##F, [](float a, float b) { return ::F(a, b); }, f, f2, ALLOWED);
#define CHECK_DOUBLES(F, ALLOWED) \
  check<double>(                  \
      #F, k_##F, [](double a, double b) { return ::F(a, b); }, d, d2, ALLOWED);
  FLOAT_FUNCTIONS(CHECK_FLOAT)
  DOUBLE_FUNCTIONS(CHECK_DOUBLE)
  FLOAT_PAIRS(CHECK_FLOATS)
  DOUBLE_PAIRS(CHECK_DOUBLES)
  // What the host's <math.h> lacks.
  if (rsqrtf(16) != 0.25f || rsqrt(16.0) != 0.25 || cospi(1.0) != -1.0 || normcdf(0.0) != 0.5 ||
      norm3d(2, 3, 6) != 7)
    ++failures, puts("functions of the host");
  printf("%d failures\n", failures);
  return failures != 0;
}
