// Functions of floats need no doubles: each kernel launches on a chip without them, and gives what the host gives.
#include <cmath>
#include <cstdio>

#define UNARY(X)                                                                                               \
  X(sinf) X(cosf) X(tanf) X(asinf) X(acosf) X(atanf) X(sinhf) X(coshf) X(tanhf) X(asinhf) X(acoshf) X(atanhf)   \
  X(expf) X(exp2f) X(exp10f) X(expm1f) X(logf) X(log2f) X(log10f) X(log1pf) X(sqrtf) X(rsqrtf) X(cbrtf)         \
  X(floorf) X(ceilf) X(truncf) X(rintf) X(roundf) X(nearbyintf) X(fabsf) X(erff) X(erfcf) X(logbf)
#define BINARY(X) \
  X(powf) X(fmodf) X(remainderf) X(hypotf) X(atan2f) X(fminf) X(fmaxf) X(fdimf) X(copysignf) X(nextafterf)

#define KERNEL1(F) \
  __global__ void k_##F(float* out, float x, float) { *out = F(x); }
#define KERNEL2(F) \
  __global__ void k_##F(float* out, float x, float y) { *out = F(x, y); }
UNARY(KERNEL1)
BINARY(KERNEL2)

static float* out;
static int failures = 0;

static void check(const char* name, void (*kernel)(float*, float, float), float x, float y, double expected) {
  kernel<<<1, 1>>>(out, x, y);
  const cudaError_t error = cudaDeviceSynchronize();
  float got = 0;
  cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost);
  const bool right = (std::isnan(expected) && std::isnan(got)) || got == static_cast<float>(expected) ||
                     std::fabs(got - expected) <= 2e-5 * std::fabs(expected) + 1e-7;
  if (error == cudaSuccess && right) return;
  ++failures;
  std::printf("%s(%g, %g): %.9g, expected %.9g: %s\n", name, x, y, got, expected, cudaGetErrorString(error));
}

int main() {
  cudaMalloc(&out, sizeof *out);
  const float values[] = {0.7f, 1.5f, 30.25f, 7.1e7f};
  for (const float x : values) {
#define CHECK1(F) check(#F, k_##F, x, 0, static_cast<double>(F(x)));
#define CHECK2(F) check(#F, k_##F, x, 3.25f, static_cast<double>(F(x, 3.25f)));
    UNARY(CHECK1)
    BINARY(CHECK2)
  }
  std::printf("%d failures\n", failures);
  return failures != 0;
}
