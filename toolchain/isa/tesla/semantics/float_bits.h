// Single and double precision as this GPU sees them, on raw bits.
//
// Single precision: denormal inputs count as zeros of their sign, denormal results become zeros of their sign, and
// every NaN result is the canonical one. Double precision follows IEEE 754 with denormals.
#pragma once

#include <cstdint>
#include <cstring>

#include "toolchain/isa/tesla/instruction.h"

namespace gt200::isa::tesla::semantics {

inline constexpr std::uint32_t sign_bit32 = 0x80000000u;
inline constexpr std::uint32_t infinity32 = 0x7f800000u;
inline constexpr std::uint32_t largest32 = 0x7f7fffffu;
inline constexpr std::uint32_t one32 = 0x3f800000u;
inline constexpr std::uint32_t canonical_nan32 = 0x7fffffffu;

inline constexpr std::uint64_t sign_bit64 = 0x8000000000000000u;
inline constexpr std::uint64_t infinity64 = 0x7ff0000000000000u;
inline constexpr std::uint64_t quiet_bit64 = 0x0008000000000000u;
// A double with these bits cleared has a significand of 24 bits.
inline constexpr std::uint64_t below_single_bits = 0x1fffffffu;

inline float as_float(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
inline std::uint32_t bits_of(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
inline double as_double(std::uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
inline std::uint64_t bits_of(double value) {
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

constexpr bool is_nan32(std::uint32_t x) { return (x & ~sign_bit32) > infinity32; }
constexpr bool is_nan64(std::uint64_t x) { return (x & ~sign_bit64) > infinity64; }

// All ones if the 32-bit integer x, taken as signed, is negative, else zero. Selecting with such masks takes fewer
// instructions on plain SSE2 than the code compilers generate for ?: with a comparison.
constexpr std::uint32_t mask_if_negative(std::uint32_t x) {
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(x) >> 31);
}

// Negative, taken as signed, if x is a zero or a denormal.
constexpr std::uint32_t zero_indicator(std::uint32_t x) { return (x & infinity32) - 1; }

// Replaces denormals by zeros of the same sign. Used for inputs and results.
constexpr std::uint32_t flushed(std::uint32_t x) { return x & ~(mask_if_negative(zero_indicator(x)) >> 1); }

// Negative, taken as signed, if x is a NaN.
constexpr std::uint32_t nan_indicator(std::uint32_t x) { return (x & ~sign_bit32) + (sign_bit32 - infinity32 - 1); }

constexpr std::uint32_t canonical(std::uint32_t x) {
  const std::uint32_t nan = mask_if_negative(nan_indicator(x));
  return (x | nan) & ~(nan << 31);
}

// $c nibble of a floating-point result, its comparison with zero: Z for equal, S for less, both for NaN.
constexpr std::uint32_t float_flags(std::uint32_t x) {
  const std::uint32_t zero = zero_indicator(x) >> 31;
  const std::uint32_t nan = nan_indicator(x) >> 31;
  const std::uint32_t negative = x >> 31 & ~zero;
  return zero | nan | (negative | nan) << 1;
}

// The sign operations of an operand, absolute first, as two masks: (x & kept) ^ flipped.
struct sign_modifier32 {
  explicit sign_modifier32(const operand& o)
      : kept(o.absolute ? ~sign_bit32 : ~0u), flipped(o.negate ? sign_bit32 : 0u) {}
  std::uint32_t operator()(std::uint32_t x) const { return (x & kept) ^ flipped; }
  std::uint32_t kept, flipped;
};

// Saturation to [0, 1]. A NaN becomes +0, as the PTX manual requires. The hardware has a mode for that. GT200
// ignores it in add, mul and mad unless an input is already a NaN: a NaN that arises from numbers (such as inf -
// inf) stays. Whether the driver sets the mode is not public; it is assumed from the manual.
constexpr std::uint32_t saturated_number(std::uint32_t x) {  // x is not a NaN
  const std::uint32_t at_least_zero = (x >> 31) != 0 ? 0u : x;
  return at_least_zero > one32 ? one32 : at_least_zero;
}
constexpr std::uint32_t saturated(std::uint32_t x) { return is_nan32(x) ? 0u : saturated_number(x); }
constexpr std::uint32_t saturated(std::uint32_t x, bool input_is_nan) {
  const std::uint32_t of_nan = input_is_nan ? 0u : canonical_nan32;
  return is_nan32(x) ? of_nan : saturated_number(x);
}

}  // namespace gt200::isa::tesla::semantics
