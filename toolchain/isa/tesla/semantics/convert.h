// Code that the conversions share. One file per direction: convert_integer (i2i), convert_to_float (i2f),
// convert_to_integer (f2i), convert_float (f2f) for up to 32 bits; convert_long if one side has 64 bits.
#pragma once

#include "toolchain/isa/common/lane_bundle.h"
#include "toolchain/isa/tesla/instruction.h"
#include "toolchain/isa/tesla/semantics/integer_bits.h"

namespace gt200::isa::tesla::semantics {

lane_function convert_integer_function(const instruction& i);
lane_function convert_to_float_function(const instruction& i);
lane_function convert_to_integer_function(const instruction& i);
lane_function convert_float_function(const instruction& i);
lane_function convert_long_function(const instruction& i);

// Extends a source of 8, 16 or 32 bits to 32 bits: shift left, then right with or without sign.
struct integer_source {
  explicit integer_source(const instruction& i)
      : shift(32u - 8u * static_cast<std::uint32_t>(bytes_of(i.source_type))),
        sign(i.source_signed[0] ? ~0u : 0u),
        kept_sign(i.source[0].absolute ? 0u : ~0u),
        flipped_sign(i.source[0].negate ? ~0u : 0u) {}

  std::uint32_t shift;
  std::uint32_t sign;          // all ones for signed sources
  std::uint32_t kept_sign;     // absolute clears, then negate flips the sign
  std::uint32_t flipped_sign;  // as all-ones masks

  // Returns the magnitude. `was_negative` is an all-ones mask if the value was negative before `absolute` and
  // `negate`.
  std::uint32_t magnitude(std::uint32_t x, std::uint32_t& was_negative) const {
    const std::uint32_t aligned = x << shift;
    was_negative = static_cast<std::uint32_t>(static_cast<std::int32_t>(aligned) >> 31) & sign;
    const std::uint32_t value = aligned >> shift;  // zero-extended
    const std::uint32_t upper = was_negative & ~(~0u >> shift);
    return ((value | upper) ^ was_negative) - was_negative;
  }
  std::uint32_t is_negative(std::uint32_t was_negative) const { return (was_negative & kept_sign) ^ flipped_sign; }
};

// Z and S of a destination of 16 or 32 bits.
constexpr std::uint32_t destination_flags(std::uint32_t value, bool is_16bit) {
  return zero_sign_flags(is_16bit ? value << 16 : value);
}

}  // namespace gt200::isa::tesla::semantics
