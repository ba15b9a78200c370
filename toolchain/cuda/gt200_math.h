// Mathematical functions of the device. The fast ones (__sinf and the like) are one or two instructions; with
// -use_fast_math they take the place of the others.
#pragma once

#include "gt200_types.h"

GT200_DEVICE float __fdividef(float a, float b) { return __nvvm_div_approx_f(a, b); }
GT200_DEVICE float __sinf(float x) { return __nvvm_sin_approx_f(x); }
GT200_DEVICE float __cosf(float x) { return __nvvm_cos_approx_f(x); }
GT200_DEVICE float __tanf(float x) { return __fdividef(__sinf(x), __cosf(x)); }
GT200_DEVICE void __sincosf(float x, float* s, float* c) {
  *s = __sinf(x);
  *c = __cosf(x);
}
GT200_DEVICE float __log2f(float x) { return __nvvm_lg2_approx_f(x); }
GT200_DEVICE float __expf(float x) { return __nvvm_ex2_approx_f(x * 1.4426950408889634f); }
GT200_DEVICE float __exp10f(float x) { return __nvvm_ex2_approx_f(x * 3.3219280948873623f); }
GT200_DEVICE float __logf(float x) { return __nvvm_lg2_approx_f(x) * 0.6931471805599453f; }
GT200_DEVICE float __log10f(float x) { return __nvvm_lg2_approx_f(x) * 0.30102999566398120f; }
GT200_DEVICE float __powf(float x, float y) { return __nvvm_ex2_approx_f(y * __nvvm_lg2_approx_f(x)); }
GT200_DEVICE float __saturatef(float x) { return __nvvm_saturate_f(x); }
GT200_DEVICE float __fadd_rn(float a, float b) { return __nvvm_add_rn_f(a, b); }
GT200_DEVICE float __fmul_rn(float a, float b) { return __nvvm_mul_rn_f(a, b); }
GT200_DEVICE float rsqrtf(float x) { return __nvvm_rsqrt_approx_f(x); }
// As nvcc without options: correctly rounded from 2.0 on.
#if __CUDA_ARCH__ >= 200 && !defined(__USE_FAST_MATH__)
GT200_DEVICE float sqrtf(float x) { return __nvvm_sqrt_rn_f(x); }
#else
GT200_DEVICE float sqrtf(float x) { return __nvvm_sqrt_approx_f(x); }
#endif
GT200_DEVICE double sqrt(double x) { return __nvvm_sqrt_rn_d(x); }
GT200_DEVICE double rsqrt(double x) { return 1.0 / __nvvm_sqrt_rn_d(x); }

#ifdef __USE_FAST_MATH__
#define GT200_FAST(CALL) return CALL;
#else
#define GT200_FAST(CALL)
#endif

// Rounding, signs, minimum and maximum
GT200_DEVICE float floorf(float x) { return __builtin_floorf(x); }
GT200_DEVICE float ceilf(float x) { return __builtin_ceilf(x); }
GT200_DEVICE float truncf(float x) { return __builtin_truncf(x); }
GT200_DEVICE float rintf(float x) { return __builtin_rintf(x); }
GT200_DEVICE float nearbyintf(float x) { return __builtin_rintf(x); }
GT200_DEVICE float roundf(float x) {
  const float whole = __builtin_truncf(x);
  return __builtin_fabsf(x - whole) >= 0.5f ? whole + __builtin_copysignf(1.0f, x) : whole;
}
GT200_DEVICE float fabsf(float x) { return __builtin_fabsf(x); }
GT200_DEVICE float copysignf(float x, float y) { return __builtin_copysignf(x, y); }
GT200_DEVICE float fminf(float a, float b) { return __nvvm_fmin_f(a, b); }
GT200_DEVICE float fmaxf(float a, float b) { return __nvvm_fmax_f(a, b); }
GT200_DEVICE float fdimf(float a, float b) { return a <= b ? 0.0f : a - b; }
GT200_DEVICE double floor(double x) { return __builtin_floor(x); }
GT200_DEVICE double ceil(double x) { return __builtin_ceil(x); }
GT200_DEVICE double trunc(double x) { return __builtin_trunc(x); }
GT200_DEVICE double rint(double x) { return __builtin_rint(x); }
GT200_DEVICE double round(double x) {
  const double whole = __builtin_trunc(x);
  return __builtin_fabs(x - whole) >= 0.5 ? whole + __builtin_copysign(1.0, x) : whole;
}
GT200_DEVICE double fabs(double x) { return __builtin_fabs(x); }
GT200_DEVICE double fmin(double a, double b) { return __nvvm_fmin_d(a, b); }
GT200_DEVICE double fmax(double a, double b) { return __nvvm_fmax_d(a, b); }
GT200_DEVICE float fmaf(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
GT200_DEVICE double fma(double a, double b, double c) { return __nvvm_fma_rn_d(a, b, c); }
GT200_DEVICE int abs(int x) { return x < 0 ? -x : x; }
GT200_DEVICE long abs(long x) { return x < 0 ? -x : x; }
GT200_DEVICE long long llabs(long long x) { return x < 0 ? -x : x; }

// 2^n for n from -126 to 127, and for the exponents of double.
GT200_DEVICE float gt200_power(int n) { return __builtin_bit_cast(float, (n + 127) << 23); }
GT200_DEVICE double gt200_power_d(int n) { return __builtin_bit_cast(double, (long long)(n + 1023) << 52); }

#include "gt200_reduce.h"

// Exponentials: x = n ln 2 + r with |r| <= ln 2 / 2, and 2^(r / ln 2). n in two factors, because 2^128 is no float.
// Where the result is 0 or infinite, r has no meaning and is only kept from spoiling it.
GT200_DEVICE float gt200_scaled_power(float r, float n) {
  const float half = __nvvm_ex2_approx_f(n * 0.5f);
  return __nvvm_ex2_approx_f(__nvvm_fmax_f(__nvvm_fmin_f(r, 1.0f), -1.0f)) * half * half;
}
GT200_DEVICE float exp2f(float x) { return __nvvm_ex2_approx_f(x); }
GT200_DEVICE float expf(float x) {
  GT200_FAST(__expf(x))
  const float n = __builtin_rintf(x * 1.44269504f);
  const float r = (x - n * 0.693145752f) - n * 1.42860677e-6f;
  return gt200_scaled_power(r * 1.44269504f, n);
}
GT200_DEVICE float exp10f(float x) {
  GT200_FAST(__exp10f(x))
  const float n = __builtin_rintf(x * 3.32192809f);
  const float r = (x - n * 0.301025391f) - n * 4.60503907e-6f;
  return gt200_scaled_power(r * 3.32192809f, n);
}
GT200_DEVICE double exp(double x) {
  if (!(x == x)) return x;
  if (x > 709.782712893384) return __builtin_inf();
  if (x < -745.2) return 0.0;
  const double n = __builtin_rint(x * 1.4426950408889634);
  const double r = __nvvm_fma_rn_d(n, -1.9082149292705877e-10, __nvvm_fma_rn_d(n, -6.93147180369123816490e-01, x));
  double sum = 1.0 / 6227020800.0;  // 1 / 13!
  const double terms[] = {
      1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720,
      1.0 / 120,       1.0 / 24,       1.0 / 6,       0.5,          1.0,         1.0};
#pragma unroll
  for (int k = 0; k < 13; ++k) sum = __nvvm_fma_rn_d(sum, r, terms[k]);
  const int whole = static_cast<int>(n);
  return sum * gt200_power_d(whole / 2) * gt200_power_d(whole - whole / 2);
}

// Logarithms: x = 2^n m with m from 2/3 to 4/3, and log m = 2 atanh(s), s = (m - 1) / (m + 1).
GT200_DEVICE float logf(float x) {
  GT200_FAST(__logf(x))
  if (!(x > 0.0f)) return x == 0.0f ? -__builtin_inff() : __builtin_nanf("");
  if (x == __builtin_inff()) return x;
  const bool is_denormal = x < 1.17549435e-38f;
  const int bits = __builtin_bit_cast(int, is_denormal ? x * 16777216.0f : x);
  const int exponent = (bits - 0x3f2aaaab) & ~0x7fffff;
  const float m = __builtin_bit_cast(float, bits - exponent);
  const float n = static_cast<float>((exponent >> 23) - (is_denormal ? 24 : 0));
  const float s = (m - 1.0f) / (m + 1.0f);
  const float q = s * s;
  const float tail = s * q * (0.666666667f + q * (0.4f + q * (0.285714286f + q * 0.222222222f)));
  return n * 0.693145752f + (n * 1.42860677e-6f + (tail + 2.0f * s));
}
GT200_DEVICE float log2f(float x) { return logf(x) * 1.44269504f; }
GT200_DEVICE float log10f(float x) { return logf(x) * 0.434294482f; }
GT200_DEVICE float log1pf(float x) {
  const float y = 1.0f + x;
  return y == 1.0f ? x : y == __builtin_inff() ? y : logf(y) * (x / (y - 1.0f));
}
GT200_DEVICE float expm1f(float x) {
  const float y = expf(x);
  return y == 1.0f ? x : __builtin_fabsf(x) > 0.5f ? y - 1.0f : (y - 1.0f) * (x / logf(y));
}
// With what the sum in double precision leaves out: what lies below the parts that have the most digits.
GT200_DEVICE double gt200_log(double x, double* below) {
  *below = 0.0;
  if (!(x > 0.0)) return x == 0.0 ? -__builtin_inf() : __builtin_nan("");
  if (x == __builtin_inf()) return x;
  int shift = 0;
  if (x < 2.2250738585072014e-308) {
    x *= 18014398509481984.0;  // 2^54
    shift = 54;
  }
  const long long bits = __builtin_bit_cast(long long, x);
  const long long exponent = (bits - 0x3fe5555555555555ll) & ~0xfffffffffffffll;
  const double m = __builtin_bit_cast(double, bits - exponent);
  const double n = static_cast<double>(static_cast<int>(exponent >> 52) - shift);
  const double under = m + 1.0;
  const double s = (m - 1.0) / under;
  const double s_below = (__nvvm_fma_rn_d(-s, under, m - 1.0) - s * (m - (under - 1.0))) / under;
  const double q = s * s;
  double sum = 2.0 / 23;
#pragma unroll
  for (int k = 21; k >= 3; k -= 2) sum = __nvvm_fma_rn_d(sum, q, 2.0 / k);
  // n times the upper part of ln 2 is exact. The parts come by size, each sum with what it rounds away.
  const double tail = s * q * sum;
  const double large = n * 6.93147180369123816490e-01, middle = 2.0 * s;
  const double first = large + middle;
  const double first_below =
      __builtin_fabs(large) > __builtin_fabs(middle) ? middle - (first - large) : large - (first - middle);
  const double small = __nvvm_fma_rn_d(n, 1.9082149292705877e-10, tail + (2.0 * s_below + first_below));
  const double result = first + small;
  *below = small - (result - first);
  return result;
}
GT200_DEVICE double log(double x) {
  double below;
  return gt200_log(x, &below);
}
GT200_DEVICE double log2(double x) { return log(x) * 1.4426950408889634; }
GT200_DEVICE double log10(double x) { return log(x) * 0.43429448190325182; }
GT200_DEVICE double exp2(double x) {
  const double n = __builtin_rint(x < -1100.0 ? -1100.0 : x > 1100.0 ? 1100.0 : x);
  const int whole = static_cast<int>(n);
  return exp((x - n) * 0.6931471805599453) * gt200_power_d(whole / 2) * gt200_power_d(whole - whole / 2);
}

// Powers of a negative base exist for whole exponents.
GT200_DEVICE double pow(double x, double y) {
  if (y == 0.0 || x == 1.0) return 1.0;
  double below;
  const double logarithm = gt200_log(__builtin_fabs(x), &below);
  const double product = y * logarithm;
  const double rest = __nvvm_fma_rn_d(y, below, __nvvm_fma_rn_d(y, logarithm, -product));
  double magnitude = exp(product);
  if (magnitude < __builtin_inf() && magnitude > 0.0) magnitude = __nvvm_fma_rn_d(magnitude, rest, magnitude);
  if (x == -1.0 && y - y != 0.0 && y == y) return 1.0;
  const bool is_whole = __builtin_trunc(y) == y;
  const double half = y * 0.5;
  const bool is_odd = is_whole && __builtin_trunc(half) != half;
  if (__builtin_signbit(x) && is_odd) return -magnitude;
  return x < 0.0 && !is_whole && x != -__builtin_inf() ? __builtin_nan("") : magnitude;
}
#if __CUDA_ARCH__ >= 130 || !defined(__CUDA_ARCH__)
GT200_DEVICE float powf(float x, float y) {
  GT200_FAST(__powf(x, y))
  return static_cast<float>(pow(static_cast<double>(x), static_cast<double>(y)));
}
#else
GT200_DEVICE float powf(float x, float y) {
  GT200_FAST(__powf(x, y))
  if (y == 0.0f || x == 1.0f) return 1.0f;
  const float magnitude = expf(y * logf(__builtin_fabsf(x)));
  if (x >= 0.0f) return magnitude;
  if (__builtin_truncf(y) != y) return __builtin_nanf("");
  const float half = y * 0.5f;
  return __builtin_truncf(half) == half ? magnitude : -magnitude;
}
#endif

// Sine and cosine: x = n pi / 2 + r with |r| <= pi / 4, pi / 2 in three parts. Below the limit the products with n,
// or the differences of fused operations, are exact.
GT200_DEVICE float gt200_reduced(float x, int* quadrant) {
#if __CUDA_ARCH__ >= 200
  const float limit = 1e5f;
#else
  const float limit = 1e4f;
#endif
  if (!(__builtin_fabsf(x) <= limit)) {
    *quadrant = 0;
    return x - x != 0.0f ? x - x : gt200_reduced_far(x, quadrant);
  }
  const float n = __builtin_rintf(x * 0.636619772f);
  *quadrant = static_cast<int>(n);
#if __CUDA_ARCH__ >= 200
  const float r = __nvvm_fma_rn_f(n, 4.37113883e-8f, __nvvm_fma_rn_f(n, -1.57079637f, x));
  return __nvvm_fma_rn_f(n, 1.71512489e-15f, r);
#else
  return ((x - n * 1.5703125f) - n * 4.83751297e-4f) - n * 7.54978942e-8f;
#endif
}
GT200_DEVICE float gt200_sine(float r) {
  const float q = r * r;
  return r + r * q * (-0.166666667f + q * (0.00833333333f + q * (-1.98412698e-4f + q * 2.75573192e-6f)));
}
GT200_DEVICE float gt200_cosine(float r) {
  const float q = r * r;
  return 1.0f + q * (-0.5f + q * (0.0416666667f + q * (-0.00138888889f + q * 2.48015873e-5f)));
}
GT200_DEVICE float sinf(float x) {
  GT200_FAST(__sinf(x))
  int n;
  const float r = gt200_reduced(x, &n);
  const float v = (n & 1) != 0 ? gt200_cosine(r) : gt200_sine(r);
  return (n & 2) != 0 ? -v : v;
}
GT200_DEVICE float cosf(float x) {
  GT200_FAST(__cosf(x))
  int n;
  const float r = gt200_reduced(x, &n);
  const float v = (n & 1) != 0 ? gt200_sine(r) : gt200_cosine(r);
  return ((n + 1) & 2) != 0 ? -v : v;
}
GT200_DEVICE void sincosf(float x, float* s, float* c) {
#ifdef __USE_FAST_MATH__
  __sincosf(x, s, c);
#else
  int n;
  const float r = gt200_reduced(x, &n);
  const float sine = gt200_sine(r), cosine = gt200_cosine(r);
  const float a = (n & 1) != 0 ? cosine : sine, b = (n & 1) != 0 ? sine : cosine;
  *s = (n & 2) != 0 ? -a : a;
  *c = ((n + 1) & 2) != 0 ? -b : b;
#endif
}
GT200_DEVICE float tanf(float x) {
  float s, c;
  sincosf(x, &s, &c);
  return s / c;
}
GT200_DEVICE double gt200_reduced(double x, int* quadrant) {
  if (!(__builtin_fabs(x) <= 1e5)) {
    *quadrant = 0;
    return x - x != 0.0 ? x - x : gt200_reduced_far(x, quadrant);
  }
  const double n = __builtin_rint(x * 0.63661977236758138);
  *quadrant = static_cast<int>(n);
  const double r = __nvvm_fma_rn_d(n, -6.077100506303966e-11, __nvvm_fma_rn_d(n, -1.5707963267341256, x));
  return __nvvm_fma_rn_d(n, -2.0222662487959506e-21, r);
}
GT200_DEVICE double gt200_sine(double r) {
  const double q = r * r;
  double sum = 0.0;
#pragma unroll
  for (int k = 17; k >= 3; k -= 2) sum = (sum + 1.0) * (-q / static_cast<double>(k * (k - 1)));
  return __nvvm_fma_rn_d(r, sum, r);
}
GT200_DEVICE double gt200_cosine(double r) {
  const double q = r * r;
  double sum = 0.0;
#pragma unroll
  for (int k = 18; k >= 2; k -= 2) sum = (sum + 1.0) * (-q / static_cast<double>(k * (k - 1)));
  return 1.0 + sum;
}
GT200_DEVICE double sin(double x) {
  int n;
  const double r = gt200_reduced(x, &n);
  const double v = (n & 1) != 0 ? gt200_cosine(r) : gt200_sine(r);
  return (n & 2) != 0 ? -v : v;
}
GT200_DEVICE double cos(double x) {
  int n;
  const double r = gt200_reduced(x, &n);
  const double v = (n & 1) != 0 ? gt200_sine(r) : gt200_cosine(r);
  return ((n + 1) & 2) != 0 ? -v : v;
}
GT200_DEVICE void sincos(double x, double* s, double* c) {
  int n;
  const double r = gt200_reduced(x, &n);
  const double sine = gt200_sine(r), cosine = gt200_cosine(r);
  const double a = (n & 1) != 0 ? cosine : sine, b = (n & 1) != 0 ? sine : cosine;
  *s = (n & 2) != 0 ? -a : a;
  *c = ((n + 1) & 2) != 0 ? -b : b;
}
GT200_DEVICE double tan(double x) {
  double s, c;
  sincos(x, &s, &c);
  return s / c;
}

// Arc tangent: beyond tan(pi / 8) from that of (x - 1) / (x + 1), beyond 1 from that of 1 / x.
GT200_DEVICE float atanf(float x) {
  const float a = __builtin_fabsf(x);
  float t = a > 1.0f ? 1.0f / a : a;
  float base = 0.0f;
  if (t > 0.414213562f) {
    t = (t - 1.0f) / (t + 1.0f);
    base = 0.785398163f;
  }
  const float q = t * t;
  float v =
      base +
      (t + t * q *
               (-0.333333333f +
                q * (0.2f + q * (-0.142857143f + q * (0.111111111f + q * (-0.0909090909f + q * 0.0769230769f))))));
  if (a > 1.0f) v = 1.57079633f - v;
  return __builtin_copysignf(v, x);
}
GT200_DEVICE float atan2f(float y, float x) {
  if (x == 0.0f && y == 0.0f) return __builtin_copysignf(__builtin_signbitf(x) ? 3.14159265f : 0.0f, y);
  const float a = x == 0.0f ? 1.57079633f : atanf(__builtin_fabsf(y / x));
  return __builtin_copysignf(x < 0.0f ? 3.14159265f - a : a, y);
}
GT200_DEVICE float asinf(float x) { return atan2f(x, sqrtf((1.0f - x) * (1.0f + x))); }
GT200_DEVICE float acosf(float x) { return 2.0f * atan2f(sqrtf(1.0f - x), sqrtf(1.0f + x)); }
// Beyond 80 by half the argument, because e^x has no float where half of it still has one.
GT200_DEVICE float gt200_half_exp(float x) {
  const float half = expf(0.5f * x);
  return 0.5f * half * half;
}
GT200_DEVICE float sinhf(float x) {
  const float a = __builtin_fabsf(x);
  const float e = expm1f(a);
  return __builtin_copysignf(a > 80.0f ? gt200_half_exp(a) : 0.5f * (e + e / (e + 1.0f)), x);
}
GT200_DEVICE float coshf(float x) {
  const float a = __builtin_fabsf(x);
  const float e = expf(a);
  return a > 80.0f ? gt200_half_exp(a) : 0.5f * (e + 1.0f / e);
}
GT200_DEVICE float tanhf(float x) {
  const float a = __builtin_fabsf(x);
  const float e = expm1f(2.0f * (a > 10.0f ? 10.0f : a));
  return __builtin_copysignf(e / (e + 2.0f), x);
}
GT200_DEVICE float hypotf(float x, float y) {
  const float a = __builtin_fabsf(x), b = __builtin_fabsf(y);
  const float most = a > b ? a : b, least = a > b ? b : a;
  if (a == __builtin_inff() || b == __builtin_inff()) return __builtin_inff();
  const float t = least / most;
  return most == 0.0f ? least : most * sqrtf(1.0f + t * t);
}
GT200_DEVICE double hypot(double x, double y) {
  const double a = __builtin_fabs(x), b = __builtin_fabs(y);
  const double most = a > b ? a : b, least = a > b ? b : a;
  if (a == __builtin_inf() || b == __builtin_inf()) return __builtin_inf();
  const double t = least / most;
  return most == 0.0 ? least : most * sqrt(1.0 + t * t);
}
GT200_DEVICE float cbrtf(float x) {
  if (x == 0.0f || x - x != 0.0f) return x;
  const float a = __builtin_fabsf(x);
  const float y = expf(logf(a) * 0.333333333f);
  return __builtin_copysignf(y - (y - a / (y * y)) * 0.333333333f, x);
}
GT200_DEVICE float ldexpf(float x, int n) {
  n = n < -400 ? -400 : n > 400 ? 400 : n;
  const int quarter = n / 4;
  return x * gt200_power(quarter) * gt200_power(quarter) * gt200_power(quarter) * gt200_power(n - 3 * quarter);
}

// The forms of C++: the type of the argument chooses.
#define GT200_OVERLOAD(NAME) \
  GT200_DEVICE float NAME(float x) { return NAME##f(x); }
GT200_OVERLOAD(sqrt)
GT200_OVERLOAD(rsqrt)
GT200_OVERLOAD(exp)
GT200_OVERLOAD(log)
GT200_OVERLOAD(log2)
GT200_OVERLOAD(log10)
GT200_OVERLOAD(exp2)
GT200_OVERLOAD(sin)
GT200_OVERLOAD(cos)
GT200_OVERLOAD(tan)
GT200_OVERLOAD(fabs)
GT200_OVERLOAD(floor)
GT200_OVERLOAD(ceil)
GT200_OVERLOAD(trunc)
GT200_OVERLOAD(rint)
GT200_OVERLOAD(round)
GT200_OVERLOAD(atan)
GT200_OVERLOAD(asin)
GT200_OVERLOAD(acos)
GT200_OVERLOAD(sinh)
GT200_OVERLOAD(cosh)
GT200_OVERLOAD(tanh)
#undef GT200_OVERLOAD
GT200_DEVICE float abs(float x) { return __builtin_fabsf(x); }
GT200_DEVICE double abs(double x) { return __builtin_fabs(x); }
GT200_DEVICE float pow(float x, float y) { return powf(x, y); }
GT200_DEVICE float pow(float x, int y) { return powf(x, static_cast<float>(y)); }
GT200_DEVICE double pow(double x, int y) { return pow(x, static_cast<double>(y)); }
GT200_DEVICE float fmod(float a, float b) { return fmodf(a, b); }
GT200_DEVICE float fmin(float a, float b) { return fminf(a, b); }
GT200_DEVICE float fmax(float a, float b) { return fmaxf(a, b); }
GT200_DEVICE float atan2(float y, float x) { return atan2f(y, x); }

// Whole numbers take these on both sides, as the headers of CUDA have them.
#define GT200_EXTREMES(T, U, R)                                                           \
  GT200_BOTH R min(T a, U b) {                                                            \
    return static_cast<R>(a) < static_cast<R>(b) ? static_cast<R>(a) : static_cast<R>(b); \
  }                                                                                       \
  GT200_BOTH R max(T a, U b) {                                                            \
    return static_cast<R>(a) > static_cast<R>(b) ? static_cast<R>(a) : static_cast<R>(b); \
  }
GT200_EXTREMES(int, int, int)
GT200_EXTREMES(unsigned, unsigned, unsigned)
GT200_EXTREMES(int, unsigned, unsigned)
GT200_EXTREMES(unsigned, int, unsigned)
GT200_EXTREMES(long, long, long)
GT200_EXTREMES(unsigned long, unsigned long, unsigned long)
GT200_EXTREMES(long long, long long, long long)
GT200_EXTREMES(unsigned long long, unsigned long long, unsigned long long)
GT200_EXTREMES(long, unsigned long, unsigned long)
GT200_EXTREMES(unsigned long, long, unsigned long)
GT200_EXTREMES(long long, unsigned long long, unsigned long long)
GT200_EXTREMES(unsigned long long, long long, unsigned long long)
#undef GT200_EXTREMES
#define GT200_EXTREMES(T, MIN, MAX)                    \
  GT200_BOTH T MIN(T a, T b) { return a < b ? a : b; } \
  GT200_BOTH T MAX(T a, T b) { return a > b ? a : b; }
GT200_EXTREMES(unsigned, umin, umax)
GT200_EXTREMES(long long, llmin, llmax)
GT200_EXTREMES(unsigned long long, ullmin, ullmax)
#undef GT200_EXTREMES
GT200_BOTH float min(float a, float b) { return __builtin_fminf(a, b); }
GT200_BOTH float max(float a, float b) { return __builtin_fmaxf(a, b); }
GT200_BOTH double min(double a, double b) { return __builtin_fmin(a, b); }
GT200_BOTH double max(double a, double b) { return __builtin_fmax(a, b); }
GT200_BOTH double min(float a, double b) { return min(static_cast<double>(a), b); }
GT200_BOTH double min(double a, float b) { return min(a, static_cast<double>(b)); }
GT200_BOTH double max(float a, double b) { return max(static_cast<double>(a), b); }
GT200_BOTH double max(double a, float b) { return max(a, static_cast<double>(b)); }
