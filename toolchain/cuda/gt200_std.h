// Functions that namespace std has on the device too. They are declared in front of <cmath>: its own, which are
// constexpr and call built-in functions of clang that PTX lacks, then stay functions of the host alone.
#pragma once
#pragma clang system_header

#if defined(__CUDA__) && !defined(GT200_CPU) && __cplusplus >= 201103L
#define GT200_DECLARED static __inline__ __attribute__((always_inline, device))
#define GT200_ONE(NAME)               \
  GT200_DECLARED float NAME(float);   \
  GT200_DECLARED double NAME(double); \
  namespace std {                     \
  using ::NAME;                       \
  }
#define GT200_TWO(NAME)                       \
  GT200_DECLARED float NAME(float, float);    \
  GT200_DECLARED double NAME(double, double); \
  namespace std {                             \
  using ::NAME;                               \
  }
#define GT200_UNARY(X)                                                                                           \
  X(sqrt)                                                                                                        \
  X(exp)                                                                                                         \
  X(exp2) X(expm1) X(log) X(log2) X(log10) X(log1p) X(sin) X(cos) X(tan) X(asin) X(acos) X(atan) X(sinh) X(cosh) \
      X(tanh) X(asinh) X(acosh) X(atanh) X(fabs) X(floor) X(ceil) X(trunc) X(rint) X(round) X(nearbyint) X(cbrt) \
          X(erf) X(erfc) X(tgamma) X(lgamma) X(logb)
#define GT200_BINARY(X) \
  X(pow) X(fmod) X(remainder) X(atan2) X(hypot) X(fmin) X(fmax) X(fdim) X(copysign) X(nextafter)
GT200_UNARY(GT200_ONE)
GT200_BINARY(GT200_TWO)
#undef GT200_ONE
#undef GT200_TWO
#undef GT200_DECLARED
#endif
