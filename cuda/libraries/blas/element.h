// Arithmetic of the four element types of BLAS under the same names: float, double, and complex numbers of both.
#pragma once

#include "cuda_runtime.h"

namespace gt200_blas {

#define GT200_BLAS_INLINE __host__ __device__ static inline

template <class T>
struct real_of {
  typedef T type;
};
template <>
struct real_of<float2> {
  typedef float type;
};
template <>
struct real_of<double2> {
  typedef double type;
};

// a b + c. The chip's multiply-add is the fused one in double precision; clang leaves the two apart for it. That of
// single precision is found by the compiler of PTX.
GT200_BLAS_INLINE float joined(float a, float b, float c) { return a * b + c; }
GT200_BLAS_INLINE double joined(double a, double b, double c) {
#ifdef __CUDA_ARCH__
  return __fma_rn(a, b, c);
#else
  return a * b + c;
#endif
}

#define GT200_BLAS_REAL(T)                                                    \
  GT200_BLAS_INLINE T from_real(T x, T) { return x; }                         \
  GT200_BLAS_INLINE T add(T a, T b) { return a + b; }                         \
  GT200_BLAS_INLINE T multiply(T a, T b) { return a * b; }                    \
  GT200_BLAS_INLINE T multiply_add(T a, T b, T c) { return joined(a, b, c); } \
  GT200_BLAS_INLINE T divide(T a, T b) { return a / b; }                      \
  GT200_BLAS_INLINE T conjugate(T x, int) { return x; }                       \
  GT200_BLAS_INLINE T real_part(T x) { return x; }                            \
  GT200_BLAS_INLINE T magnitude(T x) { return x < 0 ? -x : x; }               \
  GT200_BLAS_INLINE T scaled_square(T x, T s) { return (x * s) * (x * s); }   \
  GT200_BLAS_INLINE bool is_real(T x, T value) { return x == value; }
GT200_BLAS_REAL(float)
GT200_BLAS_REAL(double)
#undef GT200_BLAS_REAL

// Quotients are scaled by the larger part of the divisor, so that no square overflows. The magnitude of BLAS is
// |real| + |imaginary|.
#define GT200_BLAS_COMPLEX(C, T)                                                                                \
  GT200_BLAS_INLINE C complex(T x, T y) {                                                                       \
    C z;                                                                                                        \
    z.x = x;                                                                                                    \
    z.y = y;                                                                                                    \
    return z;                                                                                                   \
  }                                                                                                             \
  GT200_BLAS_INLINE C from_real(T x, C) { return complex(x, T(0)); }                                            \
  GT200_BLAS_INLINE C add(C a, C b) { return complex(a.x + b.x, a.y + b.y); }                                   \
  GT200_BLAS_INLINE C multiply(C a, C b) { return complex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }      \
  GT200_BLAS_INLINE C multiply(T a, C b) { return complex(a * b.x, a * b.y); }                                  \
  GT200_BLAS_INLINE C multiply_add(C a, C b, C c) {                                                             \
    return complex(joined(-a.y, b.y, joined(a.x, b.x, c.x)), joined(a.y, b.x, joined(a.x, b.y, c.y)));          \
  }                                                                                                             \
  GT200_BLAS_INLINE C multiply_add(T a, C b, C c) { return complex(joined(a, b.x, c.x), joined(a, b.y, c.y)); } \
  GT200_BLAS_INLINE C conjugate(C x, int yes) { return complex(x.x, yes ? -x.y : x.y); }                        \
  GT200_BLAS_INLINE C real_part(C x) { return complex(x.x, T(0)); }                                             \
  GT200_BLAS_INLINE T magnitude(C x) { return magnitude(x.x) + magnitude(x.y); }                                \
  GT200_BLAS_INLINE C divide(C a, C b) {                                                                        \
    const T s = magnitude(b.x) > magnitude(b.y) ? magnitude(b.x) : magnitude(b.y);                              \
    const T x = b.x / s;                                                                                        \
    const T y = b.y / s;                                                                                        \
    const T d = (x * x + y * y) * s;                                                                            \
    return complex((a.x * x + a.y * y) / d, (a.y * x - a.x * y) / d);                                           \
  }                                                                                                             \
  GT200_BLAS_INLINE T scaled_square(C x, T s) { return scaled_square(x.x, s) + scaled_square(x.y, s); }         \
  GT200_BLAS_INLINE bool is_real(C x, T value) { return x.x == value && x.y == 0; }
GT200_BLAS_COMPLEX(float2, float)
GT200_BLAS_COMPLEX(double2, double)
#undef GT200_BLAS_COMPLEX
#undef GT200_BLAS_INLINE

template <class T>
__host__ __device__ inline T number(double x) {
  return from_real(static_cast<typename real_of<T>::type>(x), T());
}

}  // namespace gt200_blas
