// Rounding of significands in integer arithmetic, for operations that the host's floating point does not offer:
// directed rounding, half precision, 64-bit integers.
#pragma once

#include <cstdint>

#include "toolchain/isa/tesla/instruction.h"

namespace gt200::isa::tesla::semantics {

__extension__ using uint128 = unsigned __int128;

// The mode to use for the magnitude of a number with this sign.
constexpr rounding mirrored(rounding mode, bool negative) {
  if (!negative) return mode;
  if (mode == rounding::minus) return rounding::plus;
  if (mode == rounding::plus) return rounding::minus;
  return mode;
}

// Whether a magnitude overflows to the largest finite number instead of infinity.
constexpr bool overflow_is_finite(rounding mode, bool negative) {
  const rounding m = mirrored(mode, negative);
  return m == rounding::zero || m == rounding::minus;
}

// x / 2^shift for shift >= 0, rounded; `mode` applies to the magnitude x.
template <class unsigned_integer>
constexpr unsigned_integer shift_right_rounded(unsigned_integer x, int shift, rounding mode) {
  constexpr int bits = static_cast<int>(sizeof(unsigned_integer)) * 8;
  if (shift == 0) return x;
  if (shift > bits) {  // less than half
    return static_cast<unsigned_integer>(mode == rounding::plus && x != 0 ? 1 : 0);
  }
  const unsigned_integer quotient = shift == bits ? 0 : x >> shift;
  const unsigned_integer rest = shift == bits ? x : x & ((unsigned_integer{1} << shift) - 1);
  const unsigned_integer half = unsigned_integer{1} << (shift - 1);
  bool up = false;
  if (mode == rounding::nearest) up = rest > half || (rest == half && (quotient & 1) != 0);
  if (mode == rounding::plus) up = rest != 0;
  return quotient + (up ? 1 : 0);
}

// Shifts right. Bit 0 records whether a one was lost, so that rounding afterwards is exact.
template <class unsigned_integer>
constexpr unsigned_integer shift_right_sticky(unsigned_integer x, int shift) {
  constexpr int bits = static_cast<int>(sizeof(unsigned_integer)) * 8;
  if (shift <= 0) return x;
  if (shift >= bits) return x != 0 ? 1 : 0;
  const unsigned_integer lost = x & ((unsigned_integer{1} << shift) - 1);
  return (x >> shift) | (lost != 0 ? 1 : 0);
}

// Position of the highest one bit; x != 0.
constexpr int highest_bit(std::uint64_t x) { return 63 - __builtin_clzll(x); }
constexpr int highest_bit(uint128 x) {
  const std::uint64_t upper = static_cast<std::uint64_t>(x >> 64);
  return upper != 0 ? 64 + highest_bit(upper) : highest_bit(static_cast<std::uint64_t>(x));
}

// An IEEE 754 binary format in an integer.
struct float_format {
  int fraction_bits;
  int largest_exponent;  // value of the exponent field that marks infinities
  constexpr int bias() const { return largest_exponent / 2; }
  constexpr std::uint64_t infinity() const { return static_cast<std::uint64_t>(largest_exponent) << fraction_bits; }
};
inline constexpr float_format half_format = {10, 31};
inline constexpr float_format single_format = {23, 255};
inline constexpr float_format double_format = {52, 2047};

// Magnitude bits of significand * 2^exponent in the format, rounded once, with denormals. Bit 0 may be a sticky bit
// if it lies at least two bits below the last bit of the result.
template <class unsigned_integer>
constexpr std::uint64_t pack(const float_format& f, bool negative, unsigned_integer significand, int exponent,
                             rounding mode) {
  if (significand == 0) return 0;
  const int leading = highest_bit(significand) + exponent;  // exponent of the value
  const int smallest = 1 - f.bias();
  const int unit = (leading > smallest ? leading : smallest) - f.fraction_bits;  // exponent of the last bit
  std::uint64_t rounded = 0;
  if (unit >= exponent) {
    rounded =
        static_cast<std::uint64_t>(shift_right_rounded(significand, unit - exponent, mirrored(mode, negative)));
  } else {
    // The shift is at most fraction_bits; the mask tells static analysis so.
    rounded = static_cast<std::uint64_t>(significand) << ((exponent - unit) & 63);
  }
  // The hidden bit, or a carry out of rounding, adds one to the exponent field.
  const int field = unit - (smallest - f.fraction_bits);
  const std::uint64_t packed = (static_cast<std::uint64_t>(field) << f.fraction_bits) + rounded;
  if (leading > f.bias() || packed >= f.infinity()) {
    return overflow_is_finite(mode, negative) ? f.infinity() - 1 : f.infinity();
  }
  return packed;
}

}  // namespace gt200::isa::tesla::semantics
