// Numbers of half precision: __half and __half2, with the functions of CUDA's header. Their bits are those of
// IEEE 754-2008 binary16.
#pragma once

#include "gt200_halves.h"

typedef struct {
  unsigned short x;
} __half_raw;
typedef struct {
  unsigned short x, y;
} __half2_raw;

// Rounds to nearest, on the host; the chip has an instruction.
GT200_HALF_FUNCTION unsigned short gt200_half_bits(float x) {
#if defined(__CUDA_ARCH__)
  return __float2half_rn(x);
#else
  const unsigned bits = __builtin_bit_cast(unsigned, x);
  const unsigned short sign = static_cast<unsigned short>(bits >> 16 & 0x8000);
  const unsigned magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return 0x7fff;
  if (magnitude >= 0x477ff000) return sign | 0x7c00;  // from 65520 on
  const int exponent = static_cast<int>(magnitude >> 23) - 127;
  // Bits of the fraction that are cut off; denormals have fewer.
  const int cut = exponent < -14 ? 13 - 14 - exponent : 13;
  if (cut > 24) return sign;
  const unsigned fraction = (magnitude & 0x7fffff) | (exponent < -14 ? 0x800000 : 0);
  const unsigned base = exponent < -14 ? 0 : static_cast<unsigned>(exponent + 15) << 10;
  const unsigned rest = fraction & ((1u << cut) - 1);
  unsigned result = base + (fraction >> cut);
  const unsigned middle = 1u << (cut - 1);
  if (rest > middle || (rest == middle && (result & 1) != 0)) ++result;
  return sign | static_cast<unsigned short>(result);
#endif
}
GT200_HALF_FUNCTION float gt200_half_value(unsigned short bits) {
#if defined(__CUDA_ARCH__)
  return __half2float(bits);
#else
  const unsigned sign = static_cast<unsigned>(bits & 0x8000) << 16;
  const unsigned exponent = bits >> 10 & 31;
  const unsigned fraction = bits & 1023;
  if (exponent == 31) return __builtin_bit_cast(float, sign | 0x7f800000 | fraction << 13);
  if (exponent != 0) return __builtin_bit_cast(float, sign | (exponent + 112) << 23 | fraction << 13);
  const float small = static_cast<float>(fraction) * 0x1p-24f;
  return sign != 0 ? -small : small;
#endif
}

struct __align__(2) __half {
  unsigned short __x;
  __half() = default;
  __host__ __device__ __half(__half_raw r) : __x(r.x) {}
  __host__ __device__ __half(float x) : __x(gt200_half_bits(x)) {}
  __host__ __device__ __half(double x) : __x(gt200_half_bits(static_cast<float>(x))) {}
  __host__ __device__ __half(int x) : __x(gt200_half_bits(static_cast<float>(x))) {}
  __host__ __device__ __half(unsigned x) : __x(gt200_half_bits(static_cast<float>(x))) {}
  __host__ __device__ __half(short x) : __x(gt200_half_bits(x)) {}
  __host__ __device__ __half(unsigned short x) : __x(gt200_half_bits(x)) {}
  __host__ __device__ __half(long long x) : __x(gt200_half_bits(static_cast<float>(x))) {}
  __host__ __device__ __half(unsigned long long x) : __x(gt200_half_bits(static_cast<float>(x))) {}
  __host__ __device__ operator float() const { return gt200_half_value(__x); }
  __host__ __device__ operator __half_raw() const { return {__x}; }
  __host__ __device__ explicit operator bool() const { return (__x & 0x7fff) != 0; }
};
struct __align__(4) __half2 {
  __half x, y;
  __half2() = default;
  __host__ __device__ __half2(__half a, __half b) : x(a), y(b) {}
  __host__ __device__ __half2(__half2_raw r) : x(__half_raw{r.x}), y(__half_raw{r.y}) {}
};
typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;

GT200_HALF_FUNCTION float gt200_to_float(__half a) { return gt200_half_value(a.__x); }
GT200_HALF_FUNCTION __half gt200_half_of(unsigned short bits) { return __half(__half_raw{bits}); }

// Conversions. The result of __float2half() is a number, where CUDA up to 8 had the bits.
GT200_HALF_FUNCTION __half __float2half(float x) { return __half(x); }
GT200_HALF_FUNCTION __half __double2half(double x) { return __half(x); }
GT200_HALF_FUNCTION float __half2float(__half a) { return gt200_half_value(a.__x); }
#define __float2half_rn __float2half
#if defined(__CUDA__) && !defined(GT200_CPU)
#define GT200_HALF_ROUNDED(ROUNDING, MODE)                               \
  static __inline__ __device__ __half __float2half_##ROUNDING(float x) { \
    unsigned short bits;                                                 \
    asm("cvt." MODE ".f16.f32 %0, %1;" : "=h"(bits) : "f"(x));           \
    return gt200_half_of(bits);                                          \
  }
GT200_HALF_ROUNDED(rz, "rz")
GT200_HALF_ROUNDED(rd, "rm")
GT200_HALF_ROUNDED(ru, "rp")
#undef GT200_HALF_ROUNDED
#endif
GT200_HALF_FUNCTION __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
GT200_HALF_FUNCTION __half2 __half2half2(__half a) { return __half2(a, a); }
GT200_HALF_FUNCTION __half2 make_half2(__half a, __half b) { return __half2(a, b); }
GT200_HALF_FUNCTION __half __low2half(__half2 a) { return a.x; }
GT200_HALF_FUNCTION __half __high2half(__half2 a) { return a.y; }
GT200_HALF_FUNCTION __half2 __low2half2(__half2 a) { return __half2(a.x, a.x); }
GT200_HALF_FUNCTION __half2 __high2half2(__half2 a) { return __half2(a.y, a.y); }
GT200_HALF_FUNCTION __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
GT200_HALF_FUNCTION __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
GT200_HALF_FUNCTION __half2 __lowhigh2highlow(__half2 a) { return __half2(a.y, a.x); }
GT200_HALF_FUNCTION float __low2float(__half2 a) { return __half2float(a.x); }
GT200_HALF_FUNCTION float __high2float(__half2 a) { return __half2float(a.y); }
GT200_HALF_FUNCTION __half2 __float2half2_rn(float x) { return __half2half2(__half(x)); }
GT200_HALF_FUNCTION __half2 __floats2half2_rn(float x, float y) { return __half2(__half(x), __half(y)); }
GT200_HALF_FUNCTION __half2 __float22half2_rn(float2 a) { return __half2(__half(a.x), __half(a.y)); }
GT200_HALF_FUNCTION float2 __half22float2(__half2 a) { return make_float2(__half2float(a.x), __half2float(a.y)); }
GT200_HALF_FUNCTION short __half_as_short(__half a) { return static_cast<short>(a.__x); }
GT200_HALF_FUNCTION unsigned short __half_as_ushort(__half a) { return a.__x; }
GT200_HALF_FUNCTION __half __short_as_half(short bits) { return gt200_half_of(static_cast<unsigned short>(bits)); }
GT200_HALF_FUNCTION __half __ushort_as_half(unsigned short bits) { return gt200_half_of(bits); }
#define GT200_HALF_INTEGER(T, NAME)                                                                      \
  GT200_HALF_FUNCTION __half __##NAME##2half_rn(T x) { return __half(static_cast<float>(x)); }           \
  GT200_HALF_FUNCTION T __half2##NAME##_rz(__half a) { return static_cast<T>(__half2float(a)); }         \
  GT200_HALF_FUNCTION T __half2##NAME##_rn(__half a) { return static_cast<T>(rintf(__half2float(a))); }  \
  GT200_HALF_FUNCTION T __half2##NAME##_rd(__half a) { return static_cast<T>(floorf(__half2float(a))); } \
  GT200_HALF_FUNCTION T __half2##NAME##_ru(__half a) { return static_cast<T>(ceilf(__half2float(a))); }
GT200_HALF_INTEGER(int, int)
GT200_HALF_INTEGER(unsigned, uint)
GT200_HALF_INTEGER(short, short)
GT200_HALF_INTEGER(unsigned short, ushort)
GT200_HALF_INTEGER(long long, ll)
GT200_HALF_INTEGER(unsigned long long, ull)
#undef GT200_HALF_INTEGER

// Arithmetic
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 530 && !defined(GT200_CPU)
#define GT200_HALF_ARITHMETIC(NAME, INSTRUCTION, EXPRESSION)                           \
  static __inline__ __device__ __half __h##NAME(__half a, __half b) {                  \
    unsigned short d;                                                                  \
    asm(INSTRUCTION ".f16 %0, %1, %2;" : "=h"(d) : "h"(a.__x), "h"(b.__x));            \
    return gt200_half_of(d);                                                           \
  }                                                                                    \
  static __inline__ __device__ __half2 __h##NAME##2(__half2 a, __half2 b) {            \
    unsigned d;                                                                        \
    asm(INSTRUCTION ".f16x2 %0, %1, %2;"                                               \
        : "=r"(d)                                                                      \
        : "r"(__builtin_bit_cast(unsigned, a)), "r"(__builtin_bit_cast(unsigned, b))); \
    return __builtin_bit_cast(__half2, d);                                             \
  }
static __inline__ __device__ __half __hfma(__half a, __half b, __half c) {
  unsigned short d;
  asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(d) : "h"(a.__x), "h"(b.__x), "h"(c.__x));
  return gt200_half_of(d);
}
static __inline__ __device__ __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  unsigned d;
  asm("fma.rn.f16x2 %0, %1, %2, %3;"
      : "=r"(d)
      : "r"(__builtin_bit_cast(unsigned, a)), "r"(__builtin_bit_cast(unsigned, b)),
        "r"(__builtin_bit_cast(unsigned, c)));
  return __builtin_bit_cast(__half2, d);
}
#else
#define GT200_HALF_ARITHMETIC(NAME, INSTRUCTION, EXPRESSION)       \
  GT200_HALF_FUNCTION __half __h##NAME(__half v, __half w) {       \
    const float a = gt200_to_float(v);                             \
    const float b = gt200_to_float(w);                             \
    return __half(EXPRESSION);                                     \
  }                                                                \
  GT200_HALF_FUNCTION __half2 __h##NAME##2(__half2 v, __half2 w) { \
    return __half2(__h##NAME(v.x, w.x), __h##NAME(v.y, w.y));      \
  }
// The product is exact in float, the sum in double.
GT200_HALF_FUNCTION __half __hfma(__half a, __half b, __half c) {
  return __half(static_cast<double>(gt200_to_float(a) * gt200_to_float(b)) +
                static_cast<double>(gt200_to_float(c)));
}
GT200_HALF_FUNCTION __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  return __half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
#endif
GT200_HALF_ARITHMETIC(add, "add", a + b)
GT200_HALF_ARITHMETIC(sub, "sub", a - b)
GT200_HALF_ARITHMETIC(mul, "mul", a* b)
#undef GT200_HALF_ARITHMETIC
GT200_HALF_FUNCTION __half __hneg(__half a) { return gt200_half_of(static_cast<unsigned short>(a.__x ^ 0x8000)); }
GT200_HALF_FUNCTION __half __habs(__half a) { return gt200_half_of(static_cast<unsigned short>(a.__x & 0x7fff)); }
GT200_HALF_FUNCTION __half2 __hneg2(__half2 a) { return __half2(__hneg(a.x), __hneg(a.y)); }
GT200_HALF_FUNCTION __half2 __habs2(__half2 a) { return __half2(__habs(a.x), __habs(a.y)); }
GT200_HALF_FUNCTIONS(__half, __half2)
GT200_HALF_SHUFFLES(__half, __half2)
GT200_HALF_ATOMIC(__half, __half2)
