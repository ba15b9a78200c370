// Intrinsic functions of the CUDA C Programming Guide 4.2, appendix C.2, beyond those of gt200_cuda.h, and the
// names of CUDA 1.x for some of them. Results are those of IEEE 754 with the named rounding (rn nearest, rz towards
// zero, rd down, ru up), except that .f32 denormals are zeros.
//
// Tesla rounds .f32 sums and products to nearest and towards zero only. The others go through double precision,
// which rounds in every direction: a result that is rounded down to 53 bits and then down to 24 bits is the exact
// one rounded down. They need compute capability 1.3.
#pragma once

#include "gt200_types.h"

// Sums and products
GT200_DEVICE float __fadd_rz(float a, float b) { return __nvvm_add_rz_f(a, b); }
GT200_DEVICE float __fmul_rz(float a, float b) { return __nvvm_mul_rz_f(a, b); }
// A quotient or root of floats that is no float is further from every float than double precision rounds.
#define GT200_ROUNDED(ROUNDING, MODE)                                                  \
  GT200_CONVERT(__double2float_##ROUNDING, float, double, MODE ".f32.f64", "=f", "d")  \
  GT200_DEVICE float __fdiv_##ROUNDING(float a, float b) {                             \
    return __double2float_##ROUNDING(__nvvm_div_rn_d(a, b));                           \
  }                                                                                    \
  GT200_DEVICE float __frcp_##ROUNDING(float x) { return __fdiv_##ROUNDING(1.0f, x); } \
  GT200_DEVICE float __fsqrt_##ROUNDING(float x) { return __double2float_##ROUNDING(__nvvm_sqrt_rn_d(x)); }
GT200_ROUNDED(rn, "rn")
GT200_ROUNDED(rz, "rz")
GT200_ROUNDED(rd, "rm")
GT200_ROUNDED(ru, "rp")
#undef GT200_ROUNDED
GT200_DEVICE float __fmaf_rn(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
#define GT200_DIRECTED(ROUNDING, MODE)                                                 \
  GT200_DEVICE float __fadd_##ROUNDING(float a, float b) {                             \
    return __double2float_##ROUNDING(__nvvm_add_##MODE##_d(a, b));                     \
  }                                                                                    \
  GT200_DEVICE float __fmul_##ROUNDING(float a, float b) {                             \
    return __double2float_##ROUNDING(static_cast<double>(a) * static_cast<double>(b)); \
  }
GT200_DIRECTED(rd, rm)
GT200_DIRECTED(ru, rp)
#undef GT200_DIRECTED
#define GT200_DOUBLE(ROUNDING, MODE)                                                                \
  GT200_DEVICE double __dadd_##ROUNDING(double a, double b) { return __nvvm_add_##MODE##_d(a, b); } \
  GT200_DEVICE double __dmul_##ROUNDING(double a, double b) { return __nvvm_mul_##MODE##_d(a, b); } \
  GT200_DEVICE double __fma_##ROUNDING(double a, double b, double c) { return __nvvm_fma_##MODE##_d(a, b, c); }
GT200_DOUBLE(rn, rn)
GT200_DOUBLE(rz, rz)
GT200_DOUBLE(rd, rm)
GT200_DOUBLE(ru, rp)
#undef GT200_DOUBLE
#define GT200_FUSED(ROUNDING)                                       \
  GT200_DEVICE float __fmaf_##ROUNDING(float a, float b, float c) { \
    return __double2float_##ROUNDING(__fma_##ROUNDING(a, b, c));    \
  }
GT200_FUSED(rz)
GT200_FUSED(rd)
GT200_FUSED(ru)
#undef GT200_FUSED
GT200_DEVICE double __ddiv_rn(double a, double b) { return __nvvm_div_rn_d(a, b); }
GT200_DEVICE double __drcp_rn(double x) { return __nvvm_div_rn_d(1.0, x); }
GT200_DEVICE double __dsqrt_rn(double x) { return __nvvm_sqrt_rn_d(x); }
// The other roundings from the nearest number: the sign of what is left over says on which side of the exact result
// it is. Denormal results of a quotient have no exact rest; they are those of the nearest rounding.
GT200_DEVICE double gt200_next(double x, bool up) {
  const long long bits = __builtin_bit_cast(long long, x);
  if (bits << 1 == 0) return __builtin_bit_cast(double, up ? 1ll : -0x7fffffffffffffffll);
  return __builtin_bit_cast(double, bits + ((bits >= 0) == up ? 1 : -1));
}
// `rest`: the exact result minus `nearest`, but for a positive factor.
GT200_DEVICE double gt200_directed(double nearest, double rest, int direction) {
  if (!(rest != 0.0) || __builtin_bit_cast(unsigned long long, nearest) << 1 >= 0xffe0000000000000ull)
    return nearest;
  const bool is_above = rest > 0.0;  // the exact result is above
  if (direction == 0) direction = nearest > 0.0 ? -1 : 1;
  if (direction > 0) return is_above ? gt200_next(nearest, true) : nearest;
  return is_above ? nearest : gt200_next(nearest, false);
}
#define GT200_QUOTIENT(ROUNDING, DIRECTION)                                             \
  GT200_DEVICE double __ddiv_##ROUNDING(double a, double b) {                           \
    const double q = __nvvm_div_rn_d(a, b);                                             \
    const double rest = __nvvm_fma_rn_d(-q, b, a);                                      \
    return gt200_directed(q, b < 0.0 ? -rest : rest, DIRECTION);                        \
  }                                                                                     \
  GT200_DEVICE double __drcp_##ROUNDING(double x) { return __ddiv_##ROUNDING(1.0, x); } \
  GT200_DEVICE double __dsqrt_##ROUNDING(double x) {                                    \
    const double root = __nvvm_sqrt_rn_d(x);                                            \
    return gt200_directed(root, __nvvm_fma_rn_d(-root, root, x), DIRECTION);            \
  }
GT200_QUOTIENT(rz, 0)
GT200_QUOTIENT(rd, -1)
GT200_QUOTIENT(ru, 1)
#undef GT200_QUOTIENT

// Conversions
GT200_CONVERT(__float2uint_rd, unsigned, float, "rmi.u32.f32", "=r", "f")
GT200_CONVERT(__float2uint_ru, unsigned, float, "rpi.u32.f32", "=r", "f")
GT200_CONVERT(__float2ll_rn, long long, float, "rni.s64.f32", "=l", "f")
GT200_CONVERT(__float2ll_rz, long long, float, "rzi.s64.f32", "=l", "f")
GT200_CONVERT(__float2ll_rd, long long, float, "rmi.s64.f32", "=l", "f")
GT200_CONVERT(__float2ll_ru, long long, float, "rpi.s64.f32", "=l", "f")
GT200_CONVERT(__float2ull_rn, unsigned long long, float, "rni.u64.f32", "=l", "f")
GT200_CONVERT(__float2ull_rz, unsigned long long, float, "rzi.u64.f32", "=l", "f")
GT200_CONVERT(__float2ull_rd, unsigned long long, float, "rmi.u64.f32", "=l", "f")
GT200_CONVERT(__float2ull_ru, unsigned long long, float, "rpi.u64.f32", "=l", "f")
GT200_CONVERT(__double2int_rn, int, double, "rni.s32.f64", "=r", "d")
GT200_CONVERT(__double2int_rz, int, double, "rzi.s32.f64", "=r", "d")
GT200_CONVERT(__double2int_rd, int, double, "rmi.s32.f64", "=r", "d")
GT200_CONVERT(__double2int_ru, int, double, "rpi.s32.f64", "=r", "d")
GT200_CONVERT(__double2uint_rn, unsigned, double, "rni.u32.f64", "=r", "d")
GT200_CONVERT(__double2uint_rz, unsigned, double, "rzi.u32.f64", "=r", "d")
GT200_CONVERT(__double2uint_rd, unsigned, double, "rmi.u32.f64", "=r", "d")
GT200_CONVERT(__double2uint_ru, unsigned, double, "rpi.u32.f64", "=r", "d")
GT200_CONVERT(__double2ll_rn, long long, double, "rni.s64.f64", "=l", "d")
GT200_CONVERT(__double2ll_rz, long long, double, "rzi.s64.f64", "=l", "d")
GT200_CONVERT(__double2ll_rd, long long, double, "rmi.s64.f64", "=l", "d")
GT200_CONVERT(__double2ll_ru, long long, double, "rpi.s64.f64", "=l", "d")
GT200_CONVERT(__double2ull_rn, unsigned long long, double, "rni.u64.f64", "=l", "d")
GT200_CONVERT(__double2ull_rz, unsigned long long, double, "rzi.u64.f64", "=l", "d")
GT200_CONVERT(__double2ull_rd, unsigned long long, double, "rmi.u64.f64", "=l", "d")
GT200_CONVERT(__double2ull_ru, unsigned long long, double, "rpi.u64.f64", "=l", "d")
GT200_CONVERT(__int2float_rd, float, int, "rm.f32.s32", "=f", "r")
GT200_CONVERT(__int2float_ru, float, int, "rp.f32.s32", "=f", "r")
GT200_CONVERT(__int2double_rn, double, int, "rn.f64.s32", "=d", "r")
GT200_CONVERT(__uint2float_rz, float, unsigned, "rz.f32.u32", "=f", "r")
GT200_CONVERT(__uint2float_rd, float, unsigned, "rm.f32.u32", "=f", "r")
GT200_CONVERT(__uint2float_ru, float, unsigned, "rp.f32.u32", "=f", "r")
GT200_CONVERT(__uint2double_rn, double, unsigned, "rn.f64.u32", "=d", "r")
GT200_CONVERT(__ll2float_rn, float, long long, "rn.f32.s64", "=f", "l")
GT200_CONVERT(__ll2float_rz, float, long long, "rz.f32.s64", "=f", "l")
GT200_CONVERT(__ll2float_rd, float, long long, "rm.f32.s64", "=f", "l")
GT200_CONVERT(__ll2float_ru, float, long long, "rp.f32.s64", "=f", "l")
GT200_CONVERT(__ll2double_rn, double, long long, "rn.f64.s64", "=d", "l")
GT200_CONVERT(__ll2double_rz, double, long long, "rz.f64.s64", "=d", "l")
GT200_CONVERT(__ll2double_rd, double, long long, "rm.f64.s64", "=d", "l")
GT200_CONVERT(__ll2double_ru, double, long long, "rp.f64.s64", "=d", "l")
GT200_CONVERT(__ull2float_rn, float, unsigned long long, "rn.f32.u64", "=f", "l")
GT200_CONVERT(__ull2float_rz, float, unsigned long long, "rz.f32.u64", "=f", "l")
GT200_CONVERT(__ull2float_rd, float, unsigned long long, "rm.f32.u64", "=f", "l")
GT200_CONVERT(__ull2float_ru, float, unsigned long long, "rp.f32.u64", "=f", "l")
GT200_CONVERT(__ull2double_rn, double, unsigned long long, "rn.f64.u64", "=d", "l")
GT200_CONVERT(__ull2double_rz, double, unsigned long long, "rz.f64.u64", "=d", "l")
GT200_CONVERT(__ull2double_rd, double, unsigned long long, "rm.f64.u64", "=d", "l")
GT200_CONVERT(__ull2double_ru, double, unsigned long long, "rp.f64.u64", "=d", "l")
GT200_CONVERT(__float2half_rn, unsigned short, float, "rn.f16.f32", "=h", "f")
GT200_CONVERT(__half2float, float, unsigned short, "f32.f16", "=f", "h")
GT200_DEVICE unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
GT200_DEVICE float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
GT200_DEVICE long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
GT200_DEVICE double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
GT200_DEVICE int __double2hiint(double x) { return static_cast<int>(__builtin_bit_cast(long long, x) >> 32); }
GT200_DEVICE int __double2loint(double x) { return static_cast<int>(__builtin_bit_cast(long long, x)); }
GT200_DEVICE double __hiloint2double(int high, int low) {
  return __builtin_bit_cast(double, static_cast<long long>(high) << 32 | static_cast<unsigned>(low));
}

// Whole numbers
GT200_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
GT200_DEVICE int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(x); }
GT200_DEVICE int __ffsll(long long x) { return __builtin_ffsll(x); }
GT200_DEVICE unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
GT200_DEVICE int __hadd(int a, int b) { return (a & b) + ((a ^ b) >> 1); }
GT200_DEVICE int __rhadd(int a, int b) { return (a | b) - ((a ^ b) >> 1); }
GT200_DEVICE unsigned __uhadd(unsigned a, unsigned b) { return (a & b) + ((a ^ b) >> 1); }
GT200_DEVICE unsigned __urhadd(unsigned a, unsigned b) { return (a | b) - ((a ^ b) >> 1); }
// Byte k of the result is byte (s >> 4 k) & 7 of b:a.
GT200_DEVICE unsigned __byte_perm(unsigned a, unsigned b, unsigned s) {
  const unsigned long long both = static_cast<unsigned long long>(b) << 32 | a;
  unsigned d = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k) d |= static_cast<unsigned>(both >> ((s >> 4 * k & 7) * 8) & 255) << 8 * k;
  return d;
}

// Names of CUDA 1.x
GT200_DEVICE void syncthreads() { __syncthreads(); }
GT200_DEVICE int mul24(int a, int b) { return __mul24(a, b); }
GT200_DEVICE unsigned umul24(unsigned a, unsigned b) { return __umul24(a, b); }
GT200_DEVICE int mulhi(int a, int b) { return __mulhi(a, b); }
GT200_DEVICE unsigned umulhi(unsigned a, unsigned b) { return __umulhi(a, b); }
GT200_DEVICE int float_as_int(float x) { return __float_as_int(x); }
GT200_DEVICE float int_as_float(int x) { return __int_as_float(x); }
GT200_DEVICE float saturate(float x) { return __nvvm_saturate_f(x); }
GT200_DEVICE float fdividef(float a, float b) { return __nvvm_div_approx_f(a, b); }
GT200_DEVICE int any(int p) { return __any(p); }
GT200_DEVICE int all(int p) { return __all(p); }
