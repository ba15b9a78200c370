// Functions of <math.h> beyond those of gt200_math.h: parts of numbers, classes, inverse and hyperbolic functions
// in double precision, error function, gamma function. Errors in testbenches/cuda/programs/math_functions.cu.
#pragma once

#include "gt200_math.h"

// Classes of numbers. Functions of the host with these names are macros or overloads of <math.h>.
#define GT200_CLASSES(T, BITS)                                                     \
  GT200_DEVICE bool gt200_isnan(T x) { return !(x == x); }                         \
  GT200_DEVICE bool gt200_isinf(T x) { return x - x != 0 && x == x; }              \
  GT200_DEVICE bool gt200_isfinite(T x) { return x - x == 0; }                     \
  GT200_DEVICE bool gt200_signbit(T x) { return __builtin_bit_cast(BITS, x) < 0; } \
  GT200_DEVICE bool isnan(T x) { return gt200_isnan(x); }                          \
  GT200_DEVICE bool isinf(T x) { return gt200_isinf(x); }                          \
  GT200_DEVICE bool isfinite(T x) { return gt200_isfinite(x); }                    \
  GT200_DEVICE bool signbit(T x) { return gt200_signbit(x); }
GT200_CLASSES(float, int)
GT200_CLASSES(double, long long)
#undef GT200_CLASSES
GT200_DEVICE int __isnanf(float x) { return gt200_isnan(x); }
GT200_DEVICE int __isinff(float x) { return gt200_isinf(x); }
GT200_DEVICE int __finitef(float x) { return gt200_isfinite(x); }
GT200_DEVICE int __signbitf(float x) { return gt200_signbit(x); }
GT200_DEVICE int __isnan(double x) { return gt200_isnan(x); }
GT200_DEVICE int __isinf(double x) { return gt200_isinf(x); }
GT200_DEVICE int __finite(double x) { return gt200_isfinite(x); }
GT200_DEVICE int __signbit(double x) { return gt200_signbit(x); }

GT200_DEVICE float nanf(const char*) { return __builtin_nanf(""); }
GT200_DEVICE double nan(const char*) { return __builtin_nan(""); }

// Parts of numbers. Denormal floats are zeros before 2.0.
GT200_DEVICE float frexpf(float x, int* exponent) {
  *exponent = 0;
  if (x == 0.0f || !gt200_isfinite(x)) return x;
  const bool is_denormal = __builtin_fabsf(x) < 1.17549435e-38f;
  const int bits = __builtin_bit_cast(int, is_denormal ? x * 16777216.0f : x);
  *exponent = (bits >> 23 & 255) - (is_denormal ? 150 : 126);
  return __builtin_bit_cast(float, (bits & ~0x7f800000) | 0x3f000000);
}
GT200_DEVICE double frexp(double x, int* exponent) {
  *exponent = 0;
  if (x == 0.0 || !gt200_isfinite(x)) return x;
  int shift = 0;
  if (__builtin_fabs(x) < 2.2250738585072014e-308) {
    x *= 18014398509481984.0;  // 2^54
    shift = 54;
  }
  const long long bits = __builtin_bit_cast(long long, x);
  *exponent = static_cast<int>(bits >> 52 & 2047) - 1022 - shift;
  return __builtin_bit_cast(double, (bits & ~(2047ll << 52)) | 1022ll << 52);
}
GT200_DEVICE float modff(float x, float* whole) {
  *whole = __builtin_truncf(x);
  return __builtin_copysignf(gt200_isinf(x) ? 0.0f : x - *whole, x);
}
GT200_DEVICE double modf(double x, double* whole) {
  *whole = __builtin_trunc(x);
  return __builtin_copysign(gt200_isinf(x) ? 0.0 : x - *whole, x);
}
GT200_DEVICE double ldexp(double x, int n) {
  n = n < -2100 ? -2100 : n > 2100 ? 2100 : n;
  const int third = n / 3;
  return x * gt200_power_d(third) * gt200_power_d(third) * gt200_power_d(n - 2 * third);
}
GT200_DEVICE float scalbnf(float x, int n) { return ldexpf(x, n); }
GT200_DEVICE double scalbn(double x, int n) { return ldexp(x, n); }
GT200_DEVICE int ilogbf(float x) {
  int n;
  if (x == 0.0f) return -2147483647 - 1;
  if (!gt200_isfinite(x)) return 2147483647;
  frexpf(x, &n);
  return n - 1;
}
GT200_DEVICE int ilogb(double x) {
  int n;
  if (x == 0.0) return -2147483647 - 1;
  if (!gt200_isfinite(x)) return 2147483647;
  frexp(x, &n);
  return n - 1;
}
GT200_DEVICE float logbf(float x) {
  return x == 0.0f ? -__builtin_inff() : gt200_isfinite(x) ? static_cast<float>(ilogbf(x)) : x * x;
}
GT200_DEVICE double logb(double x) {
  return x == 0.0 ? -__builtin_inf() : gt200_isfinite(x) ? static_cast<double>(ilogb(x)) : x * x;
}
GT200_DEVICE float nextafterf(float x, float y) {
  if (!(x == x) || !(y == y)) return x + y;
  if (x == y) return y;
#if __CUDA_ARCH__ >= 200
  if (x == 0.0f) return __builtin_copysignf(__builtin_bit_cast(float, 1), y);
#else
  if (x == 0.0f) return __builtin_copysignf(1.17549435e-38f, y);
#endif
  const int bits = __builtin_bit_cast(int, x);
  return __builtin_bit_cast(float, (x < y) == (x > 0.0f) ? bits + 1 : bits - 1);
}
GT200_DEVICE double nextafter(double x, double y) {
  if (!(x == x) || !(y == y)) return x + y;
  if (x == y) return y;
  if (x == 0.0) return __builtin_copysign(__builtin_bit_cast(double, 1ll), y);
  const long long bits = __builtin_bit_cast(long long, x);
  return __builtin_bit_cast(double, (x < y) == (x > 0.0) ? bits + 1 : bits - 1);
}
GT200_DEVICE double copysign(double x, double y) { return __builtin_copysign(x, y); }
GT200_DEVICE double nearbyint(double x) { return __builtin_rint(x); }
GT200_DEVICE double fdim(double a, double b) { return a <= b ? 0.0 : a - b; }
GT200_DEVICE long lrintf(float x) { return static_cast<long>(__builtin_rintf(x)); }
GT200_DEVICE long lrint(double x) { return static_cast<long>(__builtin_rint(x)); }
GT200_DEVICE long lroundf(float x) { return static_cast<long>(roundf(x)); }
GT200_DEVICE long lround(double x) { return static_cast<long>(round(x)); }
GT200_DEVICE long long llrintf(float x) { return lrintf(x); }
GT200_DEVICE long long llrint(double x) { return lrint(x); }
GT200_DEVICE long long llroundf(float x) { return lroundf(x); }
GT200_DEVICE long long llround(double x) { return lround(x); }

// Arc tangent of 0 to 1: that of (t - 1) / (t + 1) beyond tan(pi / 8), then of half the angle, then a series.
GT200_DEVICE double gt200_arc(double t) {
  double base = 0.0;
  if (t > 0.41421356237309503) {
    t = (t - 1.0) / (t + 1.0);
    base = 0.78539816339744828;
  }
  const double half = t / (1.0 + __nvvm_sqrt_rn_d(__nvvm_fma_rn_d(t, t, 1.0)));
  const double q = half * half;
  double sum = 0.0;
#pragma unroll
  for (int k = 27; k >= 3; k -= 2) sum = __nvvm_fma_rn_d(sum, -q, 1.0 / k);
  return base + 2.0 * __nvvm_fma_rn_d(half * -q, sum, half);
}
GT200_DEVICE double atan(double x) {
  const double a = __builtin_fabs(x);
  const double v = a > 1.0 ? 1.5707963267948966 - gt200_arc(1.0 / a) : gt200_arc(a);
  return __builtin_copysign(v, x);
}
GT200_DEVICE double atan2(double y, double x) {
  if (!(x == x) || !(y == y)) return x + y;
  if (x == 0.0 && y == 0.0) return __builtin_copysign(gt200_signbit(x) ? 3.1415926535897931 : 0.0, y);
  const double a = x == 0.0 ? 1.5707963267948966 : atan(__builtin_fabs(y / x));
  return __builtin_copysign(x < 0.0 ? 3.1415926535897931 - a : a, y);
}
GT200_DEVICE double asin(double x) { return atan2(x, sqrt((1.0 - x) * (1.0 + x))); }
GT200_DEVICE double acos(double x) { return 2.0 * atan2(sqrt(1.0 - x), sqrt(1.0 + x)); }

// Hyperbolic functions
GT200_DEVICE double log1p(double x) {
  const double y = 1.0 + x;
  return y == 1.0 ? x : y == __builtin_inf() ? y : log(y) * (x / (y - 1.0));
}
GT200_DEVICE double expm1(double x) {
  const double y = exp(x);
  return y == 1.0 ? x : __builtin_fabs(x) > 0.5 ? y - 1.0 : (y - 1.0) * (x / log(y));
}
GT200_DEVICE double gt200_half_exp(double x) {
  const double half = exp(0.5 * x);
  return 0.5 * half * half;
}
GT200_DEVICE double sinh(double x) {
  const double a = __builtin_fabs(x);
  const double e = expm1(a);
  return __builtin_copysign(a > 700.0 ? gt200_half_exp(a) : 0.5 * (e + e / (e + 1.0)), x);
}
GT200_DEVICE double cosh(double x) {
  const double a = __builtin_fabs(x);
  const double e = exp(a);
  return a > 700.0 ? gt200_half_exp(a) : 0.5 * (e + 1.0 / e);
}
GT200_DEVICE double tanh(double x) {
  const double a = __builtin_fabs(x);
  const double e = expm1(2.0 * (a > 20.0 ? 20.0 : a));
  return __builtin_copysign(e / (e + 2.0), x);
}
// Beyond `FAR` the square has no room, and the logarithm of twice the argument is the same.
#define GT200_INVERSE(T, SUFFIX, ABS, COPY, ONE, FAR, LN2)                                             \
  GT200_DEVICE T asinh##SUFFIX(T x) {                                                                  \
    const T a = ABS(x);                                                                                \
    if (a > FAR) return COPY(log##SUFFIX(a) + LN2, x);                                                 \
    return COPY(log1p##SUFFIX(a + a * a / (ONE + sqrt##SUFFIX(a * a + ONE))), x);                      \
  }                                                                                                    \
  GT200_DEVICE T acosh##SUFFIX(T x) {                                                                  \
    const T over = x - ONE;                                                                            \
    if (x > FAR) return log##SUFFIX(x) + LN2;                                                          \
    return over < 0 ? (x - x) / (x - x) : log1p##SUFFIX(over + sqrt##SUFFIX(over * (over + 2 * ONE))); \
  }                                                                                                    \
  GT200_DEVICE T atanh##SUFFIX(T x) {                                                                  \
    const T a = ABS(x);                                                                                \
    return COPY(ONE / 2 * log1p##SUFFIX((a + a) / (ONE - a)), x);                                      \
  }
GT200_INVERSE(float, f, __builtin_fabsf, __builtin_copysignf, 1.0f, 1e9f, 0.693147181f)
GT200_INVERSE(double, , __builtin_fabs, __builtin_copysign, 1.0, 1e9, 0.69314718055994531)
#undef GT200_INVERSE

// Powers and roots
GT200_DEVICE double exp10(double x) {
  if (!(x > -330.0 && x < 310.0)) return exp(x * 2.3025850929940457);
  const double n = __builtin_rint(x * 3.3219280948873622);
  const double r = __nvvm_fma_rn_d(n, -5.801722962879576e-10, __nvvm_fma_rn_d(n, -0.3010299950838089, x));
  const int whole = static_cast<int>(n);
  return exp(r * 2.3025850929940457) * gt200_power_d(whole / 2) * gt200_power_d(whole - whole / 2);
}
GT200_DEVICE double cbrt(double x) {
  if (x == 0.0 || !gt200_isfinite(x)) return x;
  const double a = __builtin_fabs(x);
  double y = exp(log(a) * 0.33333333333333333);
  y -= (y * y * y - a) / (3.0 * y * y);
  return __builtin_copysign(y, x);
}
GT200_DEVICE float rcbrtf(float x) { return 1.0f / cbrtf(x); }
GT200_DEVICE double rcbrt(double x) { return 1.0 / cbrt(x); }

// Sine and cosine of multiples of pi; the fraction is exact.
GT200_DEVICE float sinpif(float x) { return sinf(3.14159265f * (x - 2.0f * __builtin_rintf(0.5f * x))); }
GT200_DEVICE float cospif(float x) { return cosf(3.14159265f * (x - 2.0f * __builtin_rintf(0.5f * x))); }
GT200_DEVICE double sinpi(double x) { return sin(3.1415926535897931 * (x - 2.0 * __builtin_rint(0.5 * x))); }
GT200_DEVICE double cospi(double x) { return cos(3.1415926535897931 * (x - 2.0 * __builtin_rint(0.5 * x))); }
GT200_DEVICE void sincospif(float x, float* s, float* c) {
  sincosf(3.14159265f * (x - 2.0f * __builtin_rintf(0.5f * x)), s, c);
}
GT200_DEVICE void sincospi(double x, double* s, double* c) {
  sincos(3.1415926535897931 * (x - 2.0 * __builtin_rint(0.5 * x)), s, c);
}

// Error function: to 1.25 the series 2 / sqrt(pi) exp(-x^2) sum (2 x^2)^n x / (1 3 ... (2 n + 1)), whose terms have
// one sign; beyond 1.25 the continued fraction of the complement.
#define GT200_ERROR_FUNCTION(T, SUFFIX, ABS, COPY, BITS, KEPT, TERMS, DEPTH, FAR)                                  \
  GT200_DEVICE T gt200_erf_series##SUFFIX(T x) {                                                                   \
    const T q = 2 * x * x;                                                                                         \
    T term = x;                                                                                                    \
    T sum = x;                                                                                                     \
    for (int n = 1; n <= TERMS; ++n) {                                                                             \
      term = term * q / static_cast<T>(2 * n + 1);                                                                 \
      sum += term;                                                                                                 \
    }                                                                                                              \
    return static_cast<T>(1.1283791670955126) * exp##SUFFIX(-x * x) * sum;                                         \
  }                                                                                                                \
  GT200_DEVICE T gt200_erfc_fraction##SUFFIX(T x) {                                                                \
    T f = x;                                                                                                       \
    for (int n = DEPTH; n >= 1; --n) f = x + static_cast<T>(0.5) * static_cast<T>(n) / f;                          \
    const T upper = __builtin_bit_cast(T, __builtin_bit_cast(BITS, x) & ~static_cast<BITS>(KEPT));                 \
    const T squared = exp##SUFFIX(-upper * upper) * exp##SUFFIX((upper - x) * (upper + x));                        \
    return x > 100 ? T() : squared * static_cast<T>(0.56418958354775629) / f;                                      \
  }                                                                                                                \
  GT200_DEVICE T erf##SUFFIX(T x) {                                                                                \
    const T a = ABS(x);                                                                                            \
    if (a < 1.25f) return gt200_erf_series##SUFFIX(x);                                                             \
    return a > FAR ? COPY(static_cast<T>(1), x) : x == x ? COPY(1 - gt200_erfc_fraction##SUFFIX(a), x) : x;        \
  }                                                                                                                \
  GT200_DEVICE T erfc##SUFFIX(T x) {                                                                               \
    if (!(x >= 1.25f)) return x <= -1.25f ? 2 - gt200_erfc_fraction##SUFFIX(-x) : 1 - gt200_erf_series##SUFFIX(x); \
    return gt200_erfc_fraction##SUFFIX(x);                                                                         \
  }
GT200_ERROR_FUNCTION(float, f, __builtin_fabsf, __builtin_copysignf, unsigned, 0xfff, 14, 30, 4.0f)
GT200_ERROR_FUNCTION(double, , __builtin_fabs, __builtin_copysign, unsigned long long, 0x7ffffff, 28, 130, 6.0)
#undef GT200_ERROR_FUNCTION

// The normal distribution, and lengths of vectors
GT200_DEVICE float normcdff(float x) { return 0.5f * erfcf(-0.707106781f * x); }
GT200_DEVICE double normcdf(double x) { return 0.5 * erfc(-0.70710678118654752 * x); }
GT200_DEVICE float rhypotf(float x, float y) { return 1.0f / hypotf(x, y); }
GT200_DEVICE double rhypot(double x, double y) { return 1.0 / hypot(x, y); }
GT200_DEVICE float norm3df(float x, float y, float z) { return hypotf(hypotf(x, y), z); }
GT200_DEVICE double norm3d(double x, double y, double z) { return hypot(hypot(x, y), z); }
GT200_DEVICE float norm4df(float x, float y, float z, float w) { return hypotf(hypotf(x, y), hypotf(z, w)); }
GT200_DEVICE double norm4d(double x, double y, double z, double w) { return hypot(hypot(x, y), hypot(z, w)); }
GT200_DEVICE float rnorm3df(float x, float y, float z) { return 1.0f / norm3df(x, y, z); }
GT200_DEVICE double rnorm3d(double x, double y, double z) { return 1.0 / norm3d(x, y, z); }

// Gamma function (Lanczos, g = 7); below 1/2 by reflection.
GT200_DEVICE double gt200_lanczos(double x) {
  const double terms[] = {676.5203681218851,  -1259.1392167224028,  771.32342877765313,    -176.61502916214059,
                          12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7};
  double sum = 0.99999999999980993;
#pragma unroll
  for (int k = 0; k < 8; ++k) sum += terms[k] / (x + k);
  return sum;
}
GT200_DEVICE double gt200_tgamma_right(double x) {
  if (x > 171.7) return __builtin_inf();
  const double t = x + 6.5;
  const double half = pow(t, 0.5 * (x - 0.5));
  return 2.5066282746310007 * half * exp(-t) * half * gt200_lanczos(x);
}
GT200_DEVICE double gt200_lgamma_right(double x) {
  const double t = x + 6.5;
  return 0.91893853320467267 + (x - 0.5) * log(t) - t + log(gt200_lanczos(x));
}
GT200_DEVICE double tgamma(double x) {
  if (x >= 0.5) return gt200_tgamma_right(x);
  if (x == 0.0) return 1.0 / x;
  if (__builtin_trunc(x) == x) return __builtin_nan("");
  return 3.1415926535897931 / (sinpi(x) * gt200_tgamma_right(1.0 - x));
}
GT200_DEVICE double lgamma(double x) {
  if (x >= 0.5) return gt200_lgamma_right(x);
  if (__builtin_trunc(x) == x) return __builtin_inf();
  return log(__builtin_fabs(3.1415926535897931 / sinpi(x))) - gt200_lgamma_right(1.0 - x);
}
GT200_DEVICE float tgammaf(float x) { return static_cast<float>(tgamma(static_cast<double>(x))); }
GT200_DEVICE float lgammaf(float x) { return static_cast<float>(lgamma(static_cast<double>(x))); }

// The forms of C++: the type of the argument chooses.
#define GT200_OVERLOAD(NAME) \
  GT200_DEVICE float NAME(float x) { return NAME##f(x); }
GT200_OVERLOAD(exp10)
GT200_OVERLOAD(expm1)
GT200_OVERLOAD(log1p)
GT200_OVERLOAD(logb)
GT200_OVERLOAD(nearbyint)
GT200_OVERLOAD(cbrt)
GT200_OVERLOAD(rcbrt)
GT200_OVERLOAD(sinpi)
GT200_OVERLOAD(cospi)
GT200_OVERLOAD(asinh)
GT200_OVERLOAD(acosh)
GT200_OVERLOAD(atanh)
GT200_OVERLOAD(erf)
GT200_OVERLOAD(erfc)
GT200_OVERLOAD(tgamma)
GT200_OVERLOAD(lgamma)
GT200_OVERLOAD(normcdf)
#undef GT200_OVERLOAD
GT200_DEVICE float frexp(float x, int* exponent) { return frexpf(x, exponent); }
GT200_DEVICE float modf(float x, float* whole) { return modff(x, whole); }
GT200_DEVICE float ldexp(float x, int n) { return ldexpf(x, n); }
GT200_DEVICE float scalbn(float x, int n) { return ldexpf(x, n); }
GT200_DEVICE int ilogb(float x) { return ilogbf(x); }
GT200_DEVICE long lrint(float x) { return lrintf(x); }
GT200_DEVICE long lround(float x) { return lroundf(x); }
GT200_DEVICE float copysign(float x, float y) { return __builtin_copysignf(x, y); }
GT200_DEVICE float nextafter(float x, float y) { return nextafterf(x, y); }
GT200_DEVICE float remainder(float a, float b) { return remainderf(a, b); }
GT200_DEVICE float fdim(float a, float b) { return fdimf(a, b); }
GT200_DEVICE float hypot(float x, float y) { return hypotf(x, y); }
GT200_DEVICE float fma(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
GT200_DEVICE void sincos(float x, float* s, float* c) { sincosf(x, s, c); }

// Arguments of several types, whole numbers among them, are doubles.
template <class T>
struct gt200_number {
  static constexpr int kind = __is_floating_point(T) ? (sizeof(T) == 4 ? 1 : 2) : __is_integral(T) ? 3 : 0;
};
template <bool>
struct gt200_if {};
template <>
struct gt200_if<true> {
  typedef double type;
};
template <class T, class U, class V = T, int t = gt200_number<T>::kind, int u = gt200_number<U>::kind,
          int v = gt200_number<V>::kind>
using gt200_mixed = typename gt200_if<t != 0 && u != 0 && v != 0 && (t != u || t != v || t == 3)>::type;
template <class T>
using gt200_whole = typename gt200_if<gt200_number<T>::kind == 3>::type;
#define GT200_OF_WHOLE(NAME)               \
  template <class T>                       \
  GT200_DEVICE gt200_whole<T> NAME(T x) {  \
    return ::NAME(static_cast<double>(x)); \
  }
#define GT200_OF_MIXED(NAME)                                       \
  template <class T, class U>                                      \
  GT200_DEVICE gt200_mixed<T, U> NAME(T a, U b) {                  \
    return ::NAME(static_cast<double>(a), static_cast<double>(b)); \
  }
GT200_DEVICE long labs(long x) { return x < 0 ? -x : x; }
#ifdef GT200_UNARY
GT200_UNARY(GT200_OF_WHOLE)
GT200_BINARY(GT200_OF_MIXED)
namespace std {
GT200_UNARY(GT200_OF_WHOLE)
GT200_BINARY(GT200_OF_MIXED)
GT200_DEVICE int abs(int x) { return ::abs(x); }
}  // namespace std
#undef GT200_UNARY
#undef GT200_BINARY
#endif
#undef GT200_OF_WHOLE
#undef GT200_OF_MIXED
template <class T, class U, class V>
GT200_DEVICE gt200_mixed<T, U, V> fma(T a, U b, V c) {
  return ::fma(static_cast<double>(a), static_cast<double>(b), static_cast<double>(c));
}
