// Complex numbers, for host and device.
#pragma once

#include <math.h>

#include "vector_types.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#ifdef __cplusplus
#define GT200_COMPLEX static __inline__ __host__ __device__
#else
#define GT200_COMPLEX static __inline__
#endif
#define GT200_COMPLEX_FUNCTIONS(C, T, S, SQRT, ABS)                                                      \
  GT200_COMPLEX C make_##C(T x, T y) {                                                                   \
    C z;                                                                                                 \
    z.x = x;                                                                                             \
    z.y = y;                                                                                             \
    return z;                                                                                            \
  }                                                                                                      \
  GT200_COMPLEX T cuCreal##S(C z) { return z.x; }                                                        \
  GT200_COMPLEX T cuCimag##S(C z) { return z.y; }                                                        \
  GT200_COMPLEX C cuConj##S(C z) { return make_##C(z.x, -z.y); }                                         \
  GT200_COMPLEX C cuCadd##S(C a, C b) { return make_##C(a.x + b.x, a.y + b.y); }                         \
  GT200_COMPLEX C cuCsub##S(C a, C b) { return make_##C(a.x - b.x, a.y - b.y); }                         \
  GT200_COMPLEX C cuCmul##S(C a, C b) { return make_##C(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); } \
  /* Scaled by the larger part of b, so that no square overflows. */                                     \
  GT200_COMPLEX C cuCdiv##S(C a, C b) {                                                                  \
    const T s = ABS(b.x) + ABS(b.y);                                                                     \
    const T x = b.x / s;                                                                                 \
    const T y = b.y / s;                                                                                 \
    const T d = (x * x + y * y) * s;                                                                     \
    return make_##C((a.x * x + a.y * y) / d, (a.y * x - a.x * y) / d);                                   \
  }                                                                                                      \
  GT200_COMPLEX T cuCabs##S(C z) {                                                                       \
    const T a = ABS(z.x);                                                                                \
    const T b = ABS(z.y);                                                                                \
    const T large = a > b ? a : b;                                                                       \
    const T small = a > b ? b : a;                                                                       \
    if (large == 0) return 0;                                                                            \
    const T r = small / large;                                                                           \
    return large * SQRT(1 + r * r);                                                                      \
  }                                                                                                      \
  GT200_COMPLEX C cuCfma##S(C a, C b, C c) {                                                             \
    return make_##C(a.x * b.x - a.y * b.y + c.x, a.x * b.y + a.y * b.x + c.y);                           \
  }
GT200_COMPLEX_FUNCTIONS(cuFloatComplex, float, f, sqrtf, fabsf)
GT200_COMPLEX_FUNCTIONS(cuDoubleComplex, double, , sqrt, fabs)
#undef GT200_COMPLEX_FUNCTIONS
#undef GT200_COMPLEX
#define make_cuComplex make_cuFloatComplex
