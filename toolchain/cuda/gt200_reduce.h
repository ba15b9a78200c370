// Exact remainders, and angles of any size as a multiple of pi / 2 and a rest.
#pragma once

#include "gt200_types.h"

// The remainder of magnitudes a and b as the hardware encodes them: whole numbers with an exponent, divided a few
// bits at a time. `spare`: bits by which a mantissa can be moved up in its word.
#define GT200_FMOD(NAME, T, WORD, FRACTION, SPARE, EXPONENTS, POWER)                                             \
  GT200_DEVICE T NAME(T a, T b) {                                                                                \
    const WORD sign = static_cast<WORD>(1) << (8 * sizeof(T) - 1);                                               \
    const WORD implicit = static_cast<WORD>(1) << FRACTION;                                                      \
    WORD x = __builtin_bit_cast(WORD, a) & ~sign;                                                                \
    WORD y = __builtin_bit_cast(WORD, b) & ~sign;                                                                \
    const WORD infinite = static_cast<WORD>(EXPONENTS) << FRACTION;                                              \
    if (b == 0 || x >= infinite || y > infinite) return (a * b) / (a * b);                                       \
    if (x < y) return a;                                                                                         \
    int high = static_cast<int>(x >> FRACTION), low = static_cast<int>(y >> FRACTION);                           \
    x = high == 0 ? x : (x & (implicit - 1)) | implicit;                                                         \
    y = low == 0 ? y : (y & (implicit - 1)) | implicit;                                                          \
    high = high == 0 ? 1 : high;                                                                                 \
    low = low == 0 ? 1 : low;                                                                                    \
    x %= y;                                                                                                      \
    for (int left = high - low; left > 0 && x != 0; left -= SPARE) x = (x << (left < SPARE ? left : SPARE)) % y; \
    const T rest = static_cast<T>(x) * POWER(-FRACTION) * POWER(low - EXPONENTS / 2);                            \
    return __builtin_bit_cast(WORD, a) & sign ? -rest : rest;                                                    \
  }
GT200_FMOD(fmodf, float, unsigned, 23, 8, 255, gt200_power)
GT200_FMOD(fmod, double, unsigned long long, 52, 11, 2047, gt200_power_d)
#undef GT200_FMOD

// To the nearest multiple, of two the even one.
#define GT200_REMAINDER(NAME, T, ABS, FMOD)              \
  GT200_DEVICE T NAME(T a, T b) {                        \
    const T size = ABS(b);                               \
    T rest = ABS(FMOD(a, size + size));                  \
    if (size == 0 || !(rest == rest)) return FMOD(a, b); \
    if (rest + rest > size) {                            \
      rest -= size;                                      \
      if (rest + rest >= size) rest -= size;             \
    }                                                    \
    return __builtin_signbit(a) ? -rest : rest;          \
  }
GT200_REMAINDER(remainderf, float, __builtin_fabsf, fmodf)
GT200_REMAINDER(remainder, double, __builtin_fabs, fmod)
#undef GT200_REMAINDER

// Payne and Hanek: of the product with 2 / pi only the bits of a window count, because multiples of 4 do not change
// an angle. The window begins at the weight 2; two bits are the quadrant, and the rest the fraction, to 2^-70 and
// 2^-137.
GT200_DEVICE float gt200_reduced_far(float x, int* quadrant) {
  const unsigned digits[] = {0u,          0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u,
                             0xdb629599u, 0x3c439041u, 0xfe5163abu, 0xdebbc561u};
  const unsigned bits = __builtin_bit_cast(unsigned, x);
  const int exponent = static_cast<int>(bits >> 23 & 255) - 150;
  const unsigned mantissa = (bits & 0x7fffff) | 0x800000;
  const int first = exponent + 30;  // the place of the window in the digits, which begin with 32 zeros
  const int word = first >> 5, shift = first & 31;
  unsigned window[3];
  for (int i = 0; i < 3; ++i)
    window[i] = shift == 0 ? digits[word + i] : digits[word + i] << shift | digits[word + i + 1] >> (32 - shift);
  const unsigned long long lowest = static_cast<unsigned long long>(mantissa) * window[2];
  const unsigned long long middle = static_cast<unsigned long long>(mantissa) * window[1] + (lowest >> 32);
  const unsigned highest = mantissa * window[0] + static_cast<unsigned>(middle >> 32);
  const unsigned long long top = static_cast<unsigned long long>(highest) << 32 | static_cast<unsigned>(middle);
  const unsigned long long fraction = top << 2 | static_cast<unsigned>(lowest) >> 30;
  const int n = static_cast<int>(top >> 62) + static_cast<int>(fraction >> 63);
  // In halves of its magnitude: chips without doubles cannot convert 64 bits.
  const bool is_below = (fraction >> 63) != 0;  // the angle lies below the nearest multiple
  const unsigned long long size = is_below ? 0 - fraction : fraction;
  const float r = (static_cast<float>(static_cast<unsigned>(size >> 32)) * 4294967296.0f +
                   static_cast<float>(static_cast<unsigned>(size))) *
                  8.51530395e-20f;  // 2^-64 pi / 2
  const bool is_negative = static_cast<int>(bits) < 0;
  *quadrant = is_negative ? -n : n;
  return is_below != is_negative ? -r : r;
}

GT200_DEVICE double gt200_reduced_far(double x, int* quadrant) {
  const unsigned long long digits[] = {0ull,
                                       0xa2f9836e4e441529ull,
                                       0xfc2757d1f534ddc0ull,
                                       0xdb6295993c439041ull,
                                       0xfe5163abdebbc561ull,
                                       0xb7246e3a424dd2e0ull,
                                       0x06492eea09d1921cull,
                                       0xfe1deb1cb129a73eull,
                                       0xe88235f52ebb4484ull,
                                       0xe99c7026b45f7e41ull,
                                       0x3991d639835339f4ull,
                                       0x9c845f8bbdf9283bull,
                                       0x1ff897ffde05980full,
                                       0xef2f118b5a0a6d1full,
                                       0x6d367ecf27cb09b7ull,
                                       0x4f463f669e5fea2dull,
                                       0x7527bac7ebe5f17bull,
                                       0x3d0739f78a5292eaull,
                                       0x6bfb5fb11f8d5d08ull,
                                       0x56033046fc7b6babull};
  const unsigned long long bits = __builtin_bit_cast(unsigned long long, x);
  const int exponent = static_cast<int>(bits >> 52 & 2047) - 1075;
  const unsigned long long mantissa = (bits & 0xfffffffffffffull) | 0x10000000000000ull;
  const int first = exponent + 62;
  const int word = first >> 6, shift = first & 63;
  unsigned long long window[3];
  for (int i = 0; i < 3; ++i)
    window[i] = shift == 0 ? digits[word + i] : digits[word + i] << shift | digits[word + i + 1] >> (64 - shift);
  const unsigned long long lowest = mantissa * window[2];
  const unsigned long long carried = __umul64hi(mantissa, window[2]);
  const unsigned long long middle = mantissa * window[1] + carried;
  const unsigned long long top =
      mantissa * window[0] + __umul64hi(mantissa, window[1]) + (middle < carried ? 1 : 0);
  const unsigned long long high = top << 2 | middle >> 62, low = middle << 2 | lowest >> 62;
  const int n = static_cast<int>(top >> 62) + static_cast<int>(high >> 63);
  const double r = (static_cast<double>(static_cast<long long>(high)) * 5.421010862427522e-20 +
                    static_cast<double>(low) * 2.938735877055719e-39) *
                   1.5707963267948966;  // 2^-64 and 2^-128
  const bool is_negative = static_cast<long long>(bits) < 0;
  *quadrant = is_negative ? -n : n;
  return is_negative ? -r : r;
}
