// What numbers of 16 bits have in common, for cuda_fp16.h and cuda_bf16.h: a type T of one and a type T2 of two,
// their operators and functions. Included there alone.
//
// Arithmetic goes through float, which is exact to the last bit for sums, products, quotients and roots; halves on
// hardware that has them (compute capability 5.3) use its instructions.
#pragma once

#include "cuda_runtime.h"

#define GT200_HALF_FUNCTION static __inline__ __attribute__((always_inline)) __host__ __device__

// A function of one, and the same on each of two.
#define GT200_HALF_UNARY(T, T2, NAME, EXPRESSION) \
  GT200_HALF_FUNCTION T h##NAME(T x) {            \
    const float a = gt200_to_float(x);            \
    return T(EXPRESSION);                         \
  }                                               \
  GT200_HALF_FUNCTION T2 h2##NAME(T2 x) { return T2(h##NAME(x.x), h##NAME(x.y)); }

#define GT200_HALF_OPERATORS(T, T2)                                      \
  GT200_HALF_FUNCTION T operator+(T a, T b) { return __hadd(a, b); }     \
  GT200_HALF_FUNCTION T operator-(T a, T b) { return __hsub(a, b); }     \
  GT200_HALF_FUNCTION T operator*(T a, T b) { return __hmul(a, b); }     \
  GT200_HALF_FUNCTION T operator/(T a, T b) { return __hdiv(a, b); }     \
  GT200_HALF_FUNCTION T operator-(T a) { return __hneg(a); }             \
  GT200_HALF_FUNCTION T operator+(T a) { return a; }                     \
  GT200_HALF_FUNCTION T& operator+=(T& a, T b) { return a = a + b; }     \
  GT200_HALF_FUNCTION T& operator-=(T& a, T b) { return a = a - b; }     \
  GT200_HALF_FUNCTION T& operator*=(T& a, T b) { return a = a * b; }     \
  GT200_HALF_FUNCTION T& operator/=(T& a, T b) { return a = a / b; }     \
  GT200_HALF_FUNCTION T2 operator+(T2 a, T2 b) { return __hadd2(a, b); } \
  GT200_HALF_FUNCTION T2 operator-(T2 a, T2 b) { return __hsub2(a, b); } \
  GT200_HALF_FUNCTION T2 operator*(T2 a, T2 b) { return __hmul2(a, b); } \
  GT200_HALF_FUNCTION T2 operator/(T2 a, T2 b) { return __h2div(a, b); } \
  GT200_HALF_FUNCTION T2 operator-(T2 a) { return __hneg2(a); }          \
  GT200_HALF_FUNCTION T2& operator+=(T2& a, T2 b) { return a = a + b; }  \
  GT200_HALF_FUNCTION T2& operator-=(T2& a, T2 b) { return a = a - b; }  \
  GT200_HALF_FUNCTION T2& operator*=(T2& a, T2 b) { return a = a * b; }  \
  GT200_HALF_FUNCTION bool operator==(T a, T b) { return __heq(a, b); }  \
  GT200_HALF_FUNCTION bool operator!=(T a, T b) { return __hneu(a, b); } \
  GT200_HALF_FUNCTION bool operator<(T a, T b) { return __hlt(a, b); }   \
  GT200_HALF_FUNCTION bool operator<=(T a, T b) { return __hle(a, b); }  \
  GT200_HALF_FUNCTION bool operator>(T a, T b) { return __hgt(a, b); }   \
  GT200_HALF_FUNCTION bool operator>=(T a, T b) { return __hge(a, b); }

// Comparisons: e of numbers, u also true if one is not a number.
#define GT200_HALF_COMPARISON(T, T2, NAME, RELATION, OPPOSITE)                                                \
  GT200_HALF_FUNCTION bool __h##NAME(T a, T b) { return gt200_to_float(a) RELATION gt200_to_float(b); }       \
  GT200_HALF_FUNCTION bool __h##NAME##u(T a, T b) { return !(gt200_to_float(a) OPPOSITE gt200_to_float(b)); } \
  GT200_HALF_FUNCTION T2 __h##NAME##2(T2 a, T2 b) {                                                           \
    return T2(T(__h##NAME(a.x, b.x) ? 1.0f : 0.0f), T(__h##NAME(a.y, b.y) ? 1.0f : 0.0f));                    \
  }                                                                                                           \
  GT200_HALF_FUNCTION bool __hb##NAME##2(T2 a, T2 b) { return __h##NAME(a.x, b.x) && __h##NAME(a.y, b.y); }

#define GT200_HALF_FUNCTIONS(T, T2)                                                                         \
  GT200_HALF_FUNCTION T __hdiv(T a, T b) { return T(gt200_to_float(a) / gt200_to_float(b)); }               \
  GT200_HALF_FUNCTION T2 __h2div(T2 a, T2 b) { return T2(__hdiv(a.x, b.x), __hdiv(a.y, b.y)); }             \
  GT200_HALF_FUNCTION T gt200_saturated(T v) {                                                              \
    const float x = gt200_to_float(v);                                                                      \
    return x > 0.0f ? (x < 1.0f ? v : T(1.0f)) : T(0.0f);                                                   \
  }                                                                                                         \
  GT200_HALF_FUNCTION T __hadd_sat(T a, T b) { return gt200_saturated(__hadd(a, b)); }                      \
  GT200_HALF_FUNCTION T __hsub_sat(T a, T b) { return gt200_saturated(__hsub(a, b)); }                      \
  GT200_HALF_FUNCTION T __hmul_sat(T a, T b) { return gt200_saturated(__hmul(a, b)); }                      \
  GT200_HALF_FUNCTION T __hfma_sat(T a, T b, T c) { return gt200_saturated(__hfma(a, b, c)); }              \
  GT200_HALF_FUNCTION T2 __hadd2_sat(T2 a, T2 b) { return T2(__hadd_sat(a.x, b.x), __hadd_sat(a.y, b.y)); } \
  GT200_HALF_FUNCTION T2 __hsub2_sat(T2 a, T2 b) { return T2(__hsub_sat(a.x, b.x), __hsub_sat(a.y, b.y)); } \
  GT200_HALF_FUNCTION T2 __hmul2_sat(T2 a, T2 b) { return T2(__hmul_sat(a.x, b.x), __hmul_sat(a.y, b.y)); } \
  GT200_HALF_FUNCTION bool __hneu(T a, T b) { return !(gt200_to_float(a) == gt200_to_float(b)); }           \
  GT200_HALF_FUNCTION bool __hne(T a, T b) {                                                                \
    const float x = gt200_to_float(a);                                                                      \
    const float y = gt200_to_float(b);                                                                      \
    return x < y || x > y;                                                                                  \
  }                                                                                                         \
  GT200_HALF_FUNCTION bool __hequ(T a, T b) { return !__hne(a, b); }                                        \
  GT200_HALF_FUNCTION bool __heq(T a, T b) { return gt200_to_float(a) == gt200_to_float(b); }               \
  GT200_HALF_FUNCTION bool __hbeq2(T2 a, T2 b) { return __heq(a.x, b.x) && __heq(a.y, b.y); }               \
  GT200_HALF_FUNCTION bool __hbne2(T2 a, T2 b) { return __hne(a.x, b.x) && __hne(a.y, b.y); }               \
  GT200_HALF_FUNCTION T2 __heq2(T2 a, T2 b) {                                                               \
    return T2(T(__heq(a.x, b.x) ? 1.0f : 0.0f), T(__heq(a.y, b.y) ? 1.0f : 0.0f));                          \
  }                                                                                                         \
  GT200_HALF_FUNCTION T2 __hne2(T2 a, T2 b) {                                                               \
    return T2(T(__hne(a.x, b.x) ? 1.0f : 0.0f), T(__hne(a.y, b.y) ? 1.0f : 0.0f));                          \
  }                                                                                                         \
  GT200_HALF_COMPARISON(T, T2, lt, <, >=)                                                                   \
  GT200_HALF_COMPARISON(T, T2, le, <=, >)                                                                   \
  GT200_HALF_COMPARISON(T, T2, gt, >, <=)                                                                   \
  GT200_HALF_COMPARISON(T, T2, ge, >=, <)                                                                   \
  GT200_HALF_FUNCTION bool __hisnan(T a) { return !(gt200_to_float(a) == gt200_to_float(a)); }              \
  GT200_HALF_FUNCTION int __hisinf(T a) {                                                                   \
    const float x = gt200_to_float(a);                                                                      \
    return x == __builtin_inff() ? 1 : x == -__builtin_inff() ? -1 : 0;                                     \
  }                                                                                                         \
  /* A number before what is none. */                                                                       \
  GT200_HALF_FUNCTION T __hmax(T a, T b) { return __hisnan(a) || __hlt(a, b) ? b : a; }                     \
  GT200_HALF_FUNCTION T __hmin(T a, T b) { return __hisnan(a) || __hgt(a, b) ? b : a; }                     \
  GT200_HALF_FUNCTION T2 __hmax2(T2 a, T2 b) { return T2(__hmax(a.x, b.x), __hmax(a.y, b.y)); }             \
  GT200_HALF_FUNCTION T2 __hmin2(T2 a, T2 b) { return T2(__hmin(a.x, b.x), __hmin(a.y, b.y)); }             \
  GT200_HALF_UNARY(T, T2, sqrt, sqrtf(a))                                                                   \
  GT200_HALF_UNARY(T, T2, rsqrt, 1.0f / sqrtf(a))                                                           \
  GT200_HALF_UNARY(T, T2, rcp, 1.0f / a)                                                                    \
  GT200_HALF_UNARY(T, T2, exp, expf(a))                                                                     \
  GT200_HALF_UNARY(T, T2, exp2, exp2f(a))                                                                   \
  GT200_HALF_UNARY(T, T2, exp10, expf(a * 2.302585093f))                                                    \
  GT200_HALF_UNARY(T, T2, log, logf(a))                                                                     \
  GT200_HALF_UNARY(T, T2, log2, log2f(a))                                                                   \
  GT200_HALF_UNARY(T, T2, log10, log10f(a))                                                                 \
  GT200_HALF_UNARY(T, T2, sin, sinf(a))                                                                     \
  GT200_HALF_UNARY(T, T2, cos, cosf(a))                                                                     \
  GT200_HALF_UNARY(T, T2, floor, floorf(a))                                                                 \
  GT200_HALF_UNARY(T, T2, ceil, ceilf(a))                                                                   \
  GT200_HALF_UNARY(T, T2, trunc, truncf(a))                                                                 \
  GT200_HALF_UNARY(T, T2, rint, rintf(a))                                                                   \
  GT200_HALF_OPERATORS(T, T2)

// Moves between the threads of a warp: one word has one or two numbers.
#if !defined(GT200_CPU) && defined(__CUDA__)
#define GT200_HALF_SHUFFLE(T, T2, NAME, LANE)                                                           \
  static __inline__ __device__ T2 NAME(unsigned mask, T2 v, LANE lane, int width = 32) {                \
    return __builtin_bit_cast(T2, NAME(mask, __builtin_bit_cast(unsigned, v), lane, width));            \
  }                                                                                                     \
  static __inline__ __device__ T NAME(unsigned mask, T v, LANE lane, int width = 32) {                  \
    return __builtin_bit_cast(                                                                          \
        T, static_cast<unsigned short>(                                                                 \
               NAME(mask, static_cast<unsigned>(__builtin_bit_cast(unsigned short, v)), lane, width))); \
  }
#define GT200_HALF_SHUFFLES(T, T2)                      \
  GT200_HALF_SHUFFLE(T, T2, __shfl_sync, int)           \
  GT200_HALF_SHUFFLE(T, T2, __shfl_up_sync, unsigned)   \
  GT200_HALF_SHUFFLE(T, T2, __shfl_down_sync, unsigned) \
  GT200_HALF_SHUFFLE(T, T2, __shfl_xor_sync, int)
// Sums, by comparing and exchanging words.
#define GT200_HALF_ATOMIC(T, T2)                                                                                  \
  static __inline__ __device__ T2 atomicAdd(T2* p, T2 v) {                                                        \
    unsigned* const word = reinterpret_cast<unsigned*>(p);                                                        \
    unsigned seen = *const_cast<volatile unsigned*>(word);                                                        \
    unsigned assumed;                                                                                             \
    do {                                                                                                          \
      assumed = seen;                                                                                             \
      seen = atomicCAS(word, assumed, __builtin_bit_cast(unsigned, __hadd2(__builtin_bit_cast(T2, assumed), v))); \
    } while (seen != assumed);                                                                                    \
    return __builtin_bit_cast(T2, seen);                                                                          \
  }                                                                                                               \
  static __inline__ __device__ T atomicAdd(T* p, T v) {                                                           \
    const bool upper = (reinterpret_cast<unsigned long long>(p) & 2) != 0;                                        \
    unsigned* const word = reinterpret_cast<unsigned*>(reinterpret_cast<unsigned long long>(p) & ~3ull);          \
    unsigned seen = *const_cast<volatile unsigned*>(word);                                                        \
    for (;;) {                                                                                                    \
      T2 both = __builtin_bit_cast(T2, seen);                                                                     \
      const T old = upper ? both.y : both.x;                                                                      \
      (upper ? both.y : both.x) = __hadd(old, v);                                                                 \
      const unsigned assumed = seen;                                                                              \
      seen = atomicCAS(word, assumed, __builtin_bit_cast(unsigned, both));                                        \
      if (seen == assumed) return old;                                                                            \
    }                                                                                                             \
  }
#else
#define GT200_HALF_SHUFFLES(T, T2)
#define GT200_HALF_ATOMIC(T, T2)
#endif
