// Numbers of 8 bits: __nv_fp8_e4m3 (4 bits of exponent, 3 of fraction, no infinity) and __nv_fp8_e5m2 (5 and 2).
// They are stored and converted; nothing computes with them. Source: P. Micikevicius and others, FP8 Formats for
// Deep Learning, 2022.
//
// Numbers are rounded to nearest, ties to even. With __NV_SATFINITE, which the types use, what is too large becomes
// the largest number; without it infinity, or in e4m3 NaN.
#pragma once

#include "cuda_fp16.h"

#ifdef __cplusplus

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

#define GT200_FP8 static __inline__ __attribute__((unused)) __host__ __device__

GT200_FP8 __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturation,
                                                   __nv_fp8_interpretation_t kind) {
  const int fraction = kind == __NV_E4M3 ? 3 : 2;
  const int bias = kind == __NV_E4M3 ? 7 : 15;
  const unsigned largest = kind == __NV_E4M3 ? 0x7e : 0x7b;
  unsigned bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  const unsigned sign = bits >> 24 & 0x80;
  bits &= 0x7fffffff;
  if (bits > 0x7f800000) return static_cast<__nv_fp8_storage_t>(sign | 0x7f);
  const int exponent = static_cast<int>(bits >> 23) - 127;
  unsigned result = 0;
  if (exponent >= -bias - fraction) {
    // Numbers below 2^(1 - bias) have fewer bits.
    const int lost = 23 - fraction + (exponent < 1 - bias ? 1 - bias - exponent : 0);
    const unsigned significand = (bits & 0x7fffff) | 0x800000;
    unsigned kept = significand >> lost;
    const unsigned rest = significand & ((1u << lost) - 1);
    const unsigned half = 1u << (lost - 1);
    if (rest > half || (rest == half && (kept & 1) != 0)) ++kept;
    result = exponent < 1 - bias ? kept : kept + (static_cast<unsigned>(exponent + bias - 1) << fraction);
  }
  if (result > largest) result = saturation == __NV_SATFINITE ? largest : kind == __NV_E4M3 ? 0x7f : 0x7c;
  return static_cast<__nv_fp8_storage_t>(sign | result);
}
GT200_FP8 float gt200_fp8_value(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind) {
  const int fraction = kind == __NV_E4M3 ? 3 : 2;
  const int bias = kind == __NV_E4M3 ? 7 : 15;
  const unsigned magnitude = x & 0x7f;
  unsigned bits;
  if (kind == __NV_E4M3 ? magnitude == 0x7f : magnitude > 0x7c) {
    bits = 0x7fc00000;
  } else if (kind == __NV_E5M2 && magnitude == 0x7c) {
    bits = 0x7f800000;
  } else {
    const unsigned exponent = magnitude >> fraction;
    const unsigned part = magnitude & ((1u << fraction) - 1);
    // 2^-9 or 2^-16: the unit of the numbers without a leading one.
    float value = static_cast<float>(exponent == 0 ? part : part | 1u << fraction);
    const unsigned scale =
        static_cast<unsigned>((exponent == 0 ? 1 : static_cast<int>(exponent)) - bias - fraction + 127) << 23;
    float power;
    __builtin_memcpy(&power, &scale, sizeof power);
    value *= power;
    __builtin_memcpy(&bits, &value, sizeof bits);
  }
  bits |= static_cast<unsigned>(x & 0x80) << 24;
  float result;
  __builtin_memcpy(&result, &bits, sizeof result);
  return result;
}
GT200_FP8 __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturation,
                                                    __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(static_cast<float>(x), saturation, kind);
}
GT200_FP8 __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind) {
  return static_cast<__half_raw>(__half(gt200_fp8_value(x, kind)));
}

#define GT200_FP8_TYPE(NAME, KIND)                                                                      \
  struct NAME {                                                                                         \
    __nv_fp8_storage_t __x;                                                                             \
    NAME() = default;                                                                                   \
    __host__ __device__ explicit NAME(float x) : __x(__nv_cvt_float_to_fp8(x, __NV_SATFINITE, KIND)) {} \
    __host__ __device__ explicit NAME(double x) : NAME(static_cast<float>(x)) {}                        \
    __host__ __device__ explicit NAME(int x) : NAME(static_cast<float>(x)) {}                           \
    __host__ __device__ explicit NAME(unsigned x) : NAME(static_cast<float>(x)) {}                      \
    __host__ __device__ explicit NAME(__half x) : NAME(static_cast<float>(x)) {}                        \
    __host__ __device__ explicit operator float() const { return gt200_fp8_value(__x, KIND); }          \
    __host__ __device__ explicit operator double() const { return gt200_fp8_value(__x, KIND); }         \
    __host__ __device__ explicit operator __half() const { return __half(gt200_fp8_value(__x, KIND)); } \
    __host__ __device__ explicit operator bool() const { return (__x & 0x7f) != 0; }                    \
  };
GT200_FP8_TYPE(__nv_fp8_e4m3, __NV_E4M3)
GT200_FP8_TYPE(__nv_fp8_e5m2, __NV_E5M2)
#undef GT200_FP8_TYPE
#undef GT200_FP8

#endif
