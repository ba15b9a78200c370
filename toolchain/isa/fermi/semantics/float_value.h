// Numbers on their way between the formats: exact values with one rounding at the end.
#pragma once

#include <cstdint>

#include "toolchain/isa/fermi/instruction.h"
#include "toolchain/isa/tesla/semantics/float_bits.h"
#include "toolchain/isa/tesla/semantics/soft_round.h"

namespace gt200::isa::fermi::semantics {

using tesla::semantics::as_double;
using tesla::semantics::as_float;
using tesla::semantics::bits_of;
using tesla::semantics::canonical_nan32;
using tesla::semantics::double_format;
using tesla::semantics::float_format;
using tesla::semantics::half_format;
using tesla::semantics::infinity32;
using tesla::semantics::infinity64;
using tesla::semantics::is_nan32;
using tesla::semantics::is_nan64;
using tesla::semantics::one32;
using tesla::semantics::sign_bit32;
using tesla::semantics::sign_bit64;
using tesla::semantics::single_format;

inline constexpr std::uint64_t canonical_nan64 = 0x7ff8000000000000u;
inline constexpr std::uint32_t canonical_nan16 = 0x7fff;

constexpr tesla::rounding rounding_of(rounding mode) { return static_cast<tesla::rounding>(mode); }

// Zeros of their sign in place of denormals.
constexpr std::uint32_t without_denormal(std::uint32_t x) { return (x & infinity32) == 0 ? x & sign_bit32 : x; }

// The flags of a float as a result: Z for zeros and NaNs, S for negative numbers and NaNs.
constexpr std::uint32_t float_flags(std::uint32_t x) {
  if (is_nan32(x)) return flag_zero | flag_sign;
  if ((x & ~sign_bit32) == 0) return flag_zero;
  return x >> 31 != 0 ? flag_sign : 0u;
}
constexpr std::uint32_t float_flags(std::uint64_t x) {
  if (is_nan64(x)) return flag_zero | flag_sign;
  if ((x & ~sign_bit64) == 0) return flag_zero;
  return x >> 63 != 0 ? flag_sign : 0u;
}

// less 1, equal 2, greater 4, unordered 8
constexpr std::uint32_t float_relation(double x, double y) { return x < y ? 1u : x == y ? 2u : x > y ? 4u : 8u; }

// [0, 1]; a NaN becomes +0.
constexpr std::uint32_t saturated(std::uint32_t x) {
  if (is_nan32(x) || x >> 31 != 0) return 0;
  return x > one32 ? one32 : x;
}

// The absolute value is taken before the sign flips.
struct sign_change {
  explicit sign_change(const operand& o) : absolute(o.absolute), negate(o.negate) {}
  std::uint32_t operator()(std::uint32_t x) const {
    return (absolute ? x & ~sign_bit32 : x) ^ (negate ? sign_bit32 : 0u);
  }
  std::uint64_t operator()(std::uint64_t x) const {
    return (absolute ? x & ~sign_bit64 : x) ^ (negate ? sign_bit64 : 0u);
  }
  bool absolute, negate;
};

// The sum x + y, whose lowest bit is set if it is not exact ("rounding to odd"). Rounding it to a format with at
// most 50 significant bits then gives the correctly rounded sum in every mode. `zero_is_negative`: an exact zero of
// terms with different signs is -0. Needs the host's arithmetic in its default environment.
double odd_sum(double x, double y, bool zero_is_negative);

// Rounds once. The lowest bit of the value may stand for bits below it.
std::uint32_t to_single(double value, rounding mode);
std::uint32_t to_half(double value, rounding mode);
double half_value(std::uint32_t x);

// Rounds to an integral value.
double integral(double value, rounding mode);

}  // namespace gt200::isa::fermi::semantics
