// Half precision. It exists only in conversions.
#pragma once

#include "toolchain/isa/tesla/semantics/float_bits.h"
#include "toolchain/isa/tesla/semantics/soft_round.h"

namespace gt200::isa::tesla::semantics {

inline constexpr std::uint32_t canonical_nan16 = 0x7fff;

inline std::uint32_t half_to_single(std::uint32_t x) {
  const std::uint32_t sign = (x & 0x8000u) << 16;
  const std::uint32_t magnitude = x & 0x7fffu;
  if (magnitude > half_format.infinity()) return canonical_nan32;
  if (magnitude == half_format.infinity()) return sign | infinity32;
  // Exact, denormals included: the bits of a half, read as a single, are smaller by a factor of 2^112.
  if (magnitude >= 0x400u) return sign | ((magnitude << 13) + (112u << 23));
  return sign |
         static_cast<std::uint32_t>(pack(single_format, false, std::uint64_t{magnitude}, -24, rounding::zero));
}

// `significand_mode` may differ from the mode that decides overflow: the hardware truncates values that have been
// rounded to integers. Magnitudes below 2^-33 become zero in every mode.
inline std::uint32_t single_to_half(std::uint32_t x, rounding mode, rounding significand_mode) {
  const std::uint32_t sign = x >> 16 & 0x8000u;
  if (is_nan32(x)) return canonical_nan16;
  const std::uint32_t exponent = x >> 23 & 0xffu;
  if (exponent == 0xff) return sign | static_cast<std::uint32_t>(half_format.infinity());
  if (exponent < 0x5e) return sign;
  const bool negative = sign != 0;
  const std::uint64_t significand = (x & 0x7fffffu) | 0x800000u;
  const std::uint32_t packed = static_cast<std::uint32_t>(
      pack(half_format, negative, significand, static_cast<int>(exponent) - 150, significand_mode));
  const std::uint32_t largest = static_cast<std::uint32_t>(half_format.infinity()) - 1;
  const bool overflow = packed > largest || (packed == largest && exponent > 127u + 15u);
  if (!overflow) return sign | packed;
  return sign | (overflow_is_finite(mode, negative) ? largest : largest + 1);
}

}  // namespace gt200::isa::tesla::semantics
