// Numbers of 16 bits with the exponent of float: __nv_bfloat16 and __nv_bfloat162. No chip here computes with them:
// arithmetic converts to float and rounds the result to nearest.
#pragma once

#include "gt200_halves.h"

typedef struct {
  unsigned short x;
} __nv_bfloat16_raw;

GT200_HALF_FUNCTION unsigned short gt200_bfloat_bits(float x) {
  const unsigned bits = __builtin_bit_cast(unsigned, x);
  if ((bits & 0x7fffffff) > 0x7f800000) return 0x7fff;
  return static_cast<unsigned short>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
GT200_HALF_FUNCTION float gt200_bfloat_value(unsigned short bits) {
  return __builtin_bit_cast(float, static_cast<unsigned>(bits) << 16);
}

struct __align__(2) __nv_bfloat16 {
  unsigned short __x;
  __nv_bfloat16() = default;
  __host__ __device__ __nv_bfloat16(__nv_bfloat16_raw r) : __x(r.x) {}
  __host__ __device__ __nv_bfloat16(float x) : __x(gt200_bfloat_bits(x)) {}
  __host__ __device__ __nv_bfloat16(double x) : __x(gt200_bfloat_bits(static_cast<float>(x))) {}
  __host__ __device__ __nv_bfloat16(int x) : __x(gt200_bfloat_bits(static_cast<float>(x))) {}
  __host__ __device__ __nv_bfloat16(unsigned x) : __x(gt200_bfloat_bits(static_cast<float>(x))) {}
  __host__ __device__ operator float() const { return gt200_bfloat_value(__x); }
  __host__ __device__ operator __nv_bfloat16_raw() const { return {__x}; }
  __host__ __device__ explicit operator bool() const { return (__x & 0x7fff) != 0; }
};
struct __align__(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  __host__ __device__ __nv_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) : x(a), y(b) {}
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

GT200_HALF_FUNCTION float gt200_to_float(__nv_bfloat16 a) { return gt200_bfloat_value(a.__x); }
GT200_HALF_FUNCTION __nv_bfloat16 gt200_bfloat_of(unsigned short bits) {
  return __nv_bfloat16(__nv_bfloat16_raw{bits});
}

GT200_HALF_FUNCTION __nv_bfloat16 __float2bfloat16(float x) { return __nv_bfloat16(x); }
GT200_HALF_FUNCTION __nv_bfloat16 __float2bfloat16_rn(float x) { return __nv_bfloat16(x); }
GT200_HALF_FUNCTION __nv_bfloat16 __float2bfloat16_rz(float x) {
  return gt200_bfloat_of(static_cast<unsigned short>(__builtin_bit_cast(unsigned, x) >> 16));
}
GT200_HALF_FUNCTION __nv_bfloat16 __double2bfloat16(double x) { return __nv_bfloat16(x); }
GT200_HALF_FUNCTION float __bfloat162float(__nv_bfloat16 a) { return gt200_bfloat_value(a.__x); }
GT200_HALF_FUNCTION __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
GT200_HALF_FUNCTION __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return {a, a}; }
GT200_HALF_FUNCTION __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
GT200_HALF_FUNCTION __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) { return a.x; }
GT200_HALF_FUNCTION __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) { return a.y; }
GT200_HALF_FUNCTION float __low2float(__nv_bfloat162 a) { return gt200_to_float(a.x); }
GT200_HALF_FUNCTION float __high2float(__nv_bfloat162 a) { return gt200_to_float(a.y); }
GT200_HALF_FUNCTION __nv_bfloat162 __float2bfloat162_rn(float x) { return {__nv_bfloat16(x), __nv_bfloat16(x)}; }
GT200_HALF_FUNCTION __nv_bfloat162 __floats2bfloat162_rn(float x, float y) {
  return {__nv_bfloat16(x), __nv_bfloat16(y)};
}
GT200_HALF_FUNCTION __nv_bfloat162 __float22bfloat162_rn(float2 a) { return __floats2bfloat162_rn(a.x, a.y); }
GT200_HALF_FUNCTION float2 __bfloat1622float2(__nv_bfloat162 a) {
  return make_float2(gt200_to_float(a.x), gt200_to_float(a.y));
}
GT200_HALF_FUNCTION short __bfloat16_as_short(__nv_bfloat16 a) { return static_cast<short>(a.__x); }
GT200_HALF_FUNCTION unsigned short __bfloat16_as_ushort(__nv_bfloat16 a) { return a.__x; }
GT200_HALF_FUNCTION __nv_bfloat16 __short_as_bfloat16(short bits) {
  return gt200_bfloat_of(static_cast<unsigned short>(bits));
}
GT200_HALF_FUNCTION __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) { return gt200_bfloat_of(bits); }
GT200_HALF_FUNCTION __nv_bfloat16 __int2bfloat16_rn(int x) { return __nv_bfloat16(x); }
GT200_HALF_FUNCTION int __bfloat162int_rz(__nv_bfloat16 a) { return static_cast<int>(gt200_to_float(a)); }
GT200_HALF_FUNCTION int __bfloat162int_rn(__nv_bfloat16 a) { return static_cast<int>(rintf(gt200_to_float(a))); }

#define GT200_HALF_ARITHMETIC(NAME, OPERATION)                                          \
  GT200_HALF_FUNCTION __nv_bfloat16 __h##NAME(__nv_bfloat16 a, __nv_bfloat16 b) {       \
    return __nv_bfloat16(gt200_to_float(a) OPERATION gt200_to_float(b));                \
  }                                                                                     \
  GT200_HALF_FUNCTION __nv_bfloat162 __h##NAME##2(__nv_bfloat162 a, __nv_bfloat162 b) { \
    return {__h##NAME(a.x, b.x), __h##NAME(a.y, b.y)};                                  \
  }
GT200_HALF_ARITHMETIC(add, +)
GT200_HALF_ARITHMETIC(sub, -)
GT200_HALF_ARITHMETIC(mul, *)
#undef GT200_HALF_ARITHMETIC
GT200_HALF_FUNCTION __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
  return __nv_bfloat16(static_cast<double>(gt200_to_float(a) * gt200_to_float(b)) +
                       static_cast<double>(gt200_to_float(c)));
}
GT200_HALF_FUNCTION __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
GT200_HALF_FUNCTION __nv_bfloat16 __hneg(__nv_bfloat16 a) {
  return gt200_bfloat_of(static_cast<unsigned short>(a.__x ^ 0x8000));
}
GT200_HALF_FUNCTION __nv_bfloat16 __habs(__nv_bfloat16 a) {
  return gt200_bfloat_of(static_cast<unsigned short>(a.__x & 0x7fff));
}
GT200_HALF_FUNCTION __nv_bfloat162 __hneg2(__nv_bfloat162 a) { return {__hneg(a.x), __hneg(a.y)}; }
GT200_HALF_FUNCTION __nv_bfloat162 __habs2(__nv_bfloat162 a) { return {__habs(a.x), __habs(a.y)}; }
GT200_HALF_FUNCTIONS(__nv_bfloat16, __nv_bfloat162)
GT200_HALF_SHUFFLES(__nv_bfloat16, __nv_bfloat162)
GT200_HALF_ATOMIC(__nv_bfloat16, __nv_bfloat162)
