// The special function unit, lane by lane: rcp, rsqrt, lg2, sin, cos, ex2 by quadratic interpolation.
//
// A fixed-point argument is split into a segment number and a residual. The result is C0 + C1 * residual + C2 *
// residual^2 with integer coefficients, plus a constant that centres the error, truncated. The structure (segments,
// bits of the coefficients, truncated squarer, rounding constants) follows Oberman and Siu, "A high-performance
// area-efficient multifunction interpolator", ARITH-17 2005, completed by envytools' measurements. The coefficients
// are our own fit, see sfu_tables/.
//
// Every unit is a struct of static functions: argument() returns the fixed-point argument, residual_of() the part
// of it that is squared, sum() what is interpolated, also where the result does not depend on it, and single() the
// single-precision result; result() is both of these.
#pragma once

#include <cstdint>

#include "toolchain/isa/tesla/semantics/float_bits.h"
#include "toolchain/isa/tesla/semantics/soft_round.h"

namespace gt200::isa::tesla::semantics {

struct sfu_coefficients {
  std::int32_t c0, c1, c2;
};

// residual^2 / 2^19 of a residual of 17 bits as the hardware computes it: every partial product is truncated before
// it is added.
constexpr std::uint32_t sfu_square(std::uint32_t residual) {
  std::uint32_t sum = 0;
  for (int bit = 0; bit < 17; ++bit) {
    sum += (residual >> bit & 1u) != 0 ? residual >> (18 - bit) : 0u;
  }
  return sum >> 1;
}

// Builds a single from sign, exponent field and 24-bit significand. The significand may have become 2^24 by
// rounding. Results below the range are flushed to zero, those above become infinity.
inline std::uint32_t sfu_single(std::uint32_t sign, int exponent, std::uint32_t significand) {
  if (significand == 0x1000000u) {
    significand >>= 1;
    ++exponent;
  }
  if (exponent <= 0 || significand == 0) return sign;
  if (exponent >= 255) return sign | infinity32;
  return sign | static_cast<std::uint32_t>(exponent) << 23 | (significand & 0x7fffffu);
}

// The 24 highest bits of a number whose highest one is bit `leading`.
inline std::uint32_t top_24_bits(std::int64_t value, int leading) {
  return static_cast<std::uint32_t>(leading >= 23 ? value >> (leading - 23) : value << (23 - leading));
}

inline std::int64_t interpolate(const sfu_coefficients& c, int c0_shift, int c2_shift, std::uint32_t residual,
                                std::uint32_t square) {
  return (std::int64_t{c.c0} << c0_shift) + std::int64_t{c.c1} * residual +
         std::int64_t{c.c2} * (std::int64_t{square} << c2_shift);
}

template <class unit>
struct sfu_unit {
  static std::uint32_t result(const sfu_coefficients* table, std::uint32_t x, std::uint32_t argument,
                              std::uint32_t square) {
    return unit::single(x, argument, unit::sum(table, argument, square));
  }
};

constexpr int exponent_field(std::uint32_t x) { return static_cast<int>(x >> 23 & 0xffu); }

struct rcp_unit : sfu_unit<rcp_unit> {
  static constexpr int segments = 128;
  static std::uint32_t argument(std::uint32_t x) { return x & 0x7fffffu; }
  static std::uint32_t residual_of(std::uint32_t argument) { return (argument & 0xffffu) << 1; }

  static std::int64_t sum(const sfu_coefficients* table, std::uint32_t argument, std::uint32_t square) {
    return interpolate(table[argument >> 16], 13, 0, argument & 0xffffu, square);
  }
  static std::uint32_t single(std::uint32_t x, std::uint32_t, std::int64_t sum) {
    const std::uint32_t sign = x & sign_bit32;
    const std::uint32_t magnitude = x & ~sign_bit32;
    if (magnitude >= infinity32) return magnitude == infinity32 ? sign : canonical_nan32;
    if (magnitude < 0x00800000u) return sign | infinity32;
    return sfu_single(sign, 253 - exponent_field(x), static_cast<std::uint32_t>((sum + 0x47e7) >> 15));
  }
};

// Two tables of 64 segments, for even and odd exponents; powers of four are exact.
struct rsqrt_unit : sfu_unit<rsqrt_unit> {
  static constexpr int segments = 128;
  static std::uint32_t argument(std::uint32_t x) { return (x & 0xffffffu) ^ 0x800000u; }
  static std::uint32_t residual_of(std::uint32_t argument) { return argument & 0x1ffffu; }

  static std::int64_t sum(const sfu_coefficients* table, std::uint32_t argument, std::uint32_t square) {
    return interpolate(table[argument >> 17], 14, 2, argument & 0x1ffffu, square);
  }
  static std::uint32_t single(std::uint32_t x, std::uint32_t argument, std::int64_t sum) {
    const std::uint32_t sign = x & sign_bit32;
    const std::uint32_t magnitude = x & ~sign_bit32;
    if (magnitude > infinity32) return canonical_nan32;
    if (magnitude < 0x00800000u) return sign | infinity32;
    if (sign != 0) return canonical_nan32;
    if (magnitude == infinity32) return 0;
    const int half_exponent = (exponent_field(x) - 127) >> 1;
    if (argument == 0) return static_cast<std::uint32_t>(127 - half_exponent) << 23;
    return sfu_single(0, 126 - half_exponent, static_cast<std::uint32_t>((sum + 0x7fff) >> 16));
  }
};

// sin and cos take the output of presin: sign, two bits of quadrant, 23 bits of position in the quadrant; bit 30
// marks infinities and NaNs.
template <bool cosine>
struct sincos_unit : sfu_unit<sincos_unit<cosine>> {
  static constexpr int segments = 64;
  static std::uint32_t quadrant(std::uint32_t x) { return (x >> 23 & 3u) + (cosine ? 1u : 0u); }
  // Odd quadrants run backwards. The hardware complements the position, so it is off by one unit.
  static std::uint32_t argument(std::uint32_t x) {
    const std::uint32_t backwards = 0u - (quadrant(x) & 1u);
    return (x ^ backwards) & 0x7fffffu;
  }
  static std::uint32_t residual_of(std::uint32_t argument) { return argument & 0x1ffffu; }

  static std::int64_t sum(const sfu_coefficients* table, std::uint32_t argument, std::uint32_t square) {
    return interpolate(table[argument >> 17], 11, 0, argument & 0x1ffffu, square);
  }
  static std::uint32_t single(std::uint32_t x, std::uint32_t, std::int64_t sum) {
    if ((x & 0x40000000u) != 0) return canonical_nan32;
    const std::uint32_t sign = (cosine ? 0u : x & sign_bit32) ^ (quadrant(x) & 2u) << 30;
    if (sum <= 0) return sign;
    const int leading = highest_bit(static_cast<std::uint64_t>(sum));  // 37 for values from one on
    return sfu_single(sign, 127 + leading - 37, top_24_bits(sum, leading));
  }
};
using sin_unit = sincos_unit<false>;
using cos_unit = sincos_unit<true>;

// ex2 takes the output of preex2: sign, 7 bits of integer, 23 bits of fraction; bit 30 marks infinities (with bit
// 23) and NaNs.
struct ex2_unit : sfu_unit<ex2_unit> {
  static constexpr int segments = 64;
  static std::uint32_t argument(std::uint32_t x) {
    const std::uint32_t fraction = x & 0x7fffffu;
    const std::uint32_t negative = mask_if_negative(x) & (fraction != 0 ? ~0u : 0u);
    return fraction ^ (negative & 0x7fffffu);
  }
  static std::uint32_t residual_of(std::uint32_t argument) { return argument & 0x1ffffu; }

  static std::int64_t sum(const sfu_coefficients* table, std::uint32_t argument, std::uint32_t square) {
    return interpolate(table[argument >> 17], 13, 0, argument & 0x1ffffu, square);
  }
  static std::uint32_t single(std::uint32_t x, std::uint32_t, std::int64_t sum) {
    const bool negative = (x >> 31) != 0;
    if ((x & 0x40000000u) != 0) {
      if ((x & 0x00800000u) == 0) return canonical_nan32;
      return negative ? 0u : infinity32;
    }
    int exponent = static_cast<int>(x >> 23 & 0x7fu);
    if (negative) exponent = -exponent - ((x & 0x7fffffu) != 0 ? 1 : 0);
    return sfu_single(0, exponent + 127, static_cast<std::uint32_t>((sum + 0x77e2) >> 15));
  }
};

struct lg2_unit : sfu_unit<lg2_unit> {
  static constexpr int segments = 64;
  static std::uint32_t argument(std::uint32_t x) { return x & 0x7fffffu; }
  static std::uint32_t residual_of(std::uint32_t argument) { return argument & 0x1ffffu; }

  static std::int64_t sum(const sfu_coefficients* table, std::uint32_t argument, std::uint32_t square) {
    return interpolate(table[argument >> 17], 12, 1, argument & 0x1ffffu, square);
  }
  static std::uint32_t single(std::uint32_t x, std::uint32_t, std::int64_t sum) {
    const std::uint32_t magnitude = x & ~sign_bit32;
    if (magnitude > infinity32) return canonical_nan32;
    if (magnitude < 0x00800000u) return sign_bit32 | infinity32;
    if ((x >> 31) != 0) return canonical_nan32;
    if (magnitude == infinity32 || x == one32) return x == one32 ? 0u : infinity32;
    std::int64_t fixed =
        ((sum + 0x3345) >> 2) + static_cast<std::int64_t>(exponent_field(x) - 127) * (std::int64_t{1} << 36);
    const std::uint32_t sign = fixed < 0 ? sign_bit32 : 0u;
    if (fixed < 0) fixed = ~fixed;
    if (fixed == 0) return sign;
    const int leading = highest_bit(static_cast<std::uint64_t>(fixed));  // 36 for values from one on
    return sfu_single(sign, 127 + leading - 36, top_24_bits(fixed, leading));
  }
};

// The whole computation for one value.
template <class unit>
std::uint32_t sfu_result(const sfu_coefficients* table, std::uint32_t x) {
  const std::uint32_t argument = unit::argument(x);
  return unit::result(table, x, argument, sfu_square(unit::residual_of(argument)));
}

// Range reduction on the SP before sin (unit: a quadrant) and ex2. The result is a fixed-point number with 23
// fraction bits and the sign of x, truncated.
inline constexpr std::uint32_t sfu_nan = 0x40000000u;
inline constexpr std::uint32_t sfu_infinity = 0x40800000u;

inline std::uint32_t preex2(std::uint32_t x) {
  const std::uint32_t sign = x & sign_bit32;
  if (is_nan32(x)) return sign | sfu_nan;
  const int exponent = exponent_field(x) - 127;
  if (exponent >= 7) return sign | sfu_infinity;
  if (exponent < -23) return sign;
  const std::uint32_t significand = (x & 0x7fffffu) | 0x800000u;
  return sign | (exponent >= 0 ? significand << exponent : significand >> -exponent);
}

inline std::uint32_t presin(std::uint32_t x) {
  const std::uint32_t sign = x & sign_bit32;
  if (is_nan32(x)) return sign | sfu_nan;
  if ((x & ~sign_bit32) == infinity32) return sign | sfu_infinity;
  const int field = exponent_field(x);
  if (field == 0) return sign;
  constexpr std::uint64_t two_over_pi = 0xa2f983;  // / 2^24
  const std::uint64_t significand = (x & 0x7fffffu) | 0x800000u;
  const std::uint32_t product = static_cast<std::uint32_t>(significand * two_over_pi >> 16);
  const int exponent = field - 127 - 8;
  // The hardware keeps four quadrants; shifts by more than the width give zero.
  std::uint32_t turned = 0;
  if (exponent >= 0 && exponent < 32) turned = product << exponent;
  if (exponent < 0 && exponent > -32) turned = product >> -exponent;
  return sign | (turned & 0x1ffffffu);
}

}  // namespace gt200::isa::tesla::semantics
