// Building blocks of the integer operations: plain expressions without branches, so that 32-lane loops vectorise.
#pragma once

#include <cstdint>

namespace gt200::isa::tesla::semantics {

inline constexpr std::uint32_t flag_z = 1, flag_s = 2, flag_c = 4, flag_o = 8;

struct value_and_flags {
  std::uint32_t value;
  std::uint32_t flags;
};

// All ones or all zeros. Operations choose between their members with such masks: of ?: compilers make a load with
// an address of its own for each lane.
constexpr std::uint32_t mask_if(bool condition) { return condition ? ~0u : 0u; }

// Z and S of a 32-bit value.
constexpr std::uint32_t zero_sign_flags(std::uint32_t value) {
  return (value == 0 ? flag_z : 0u) | ((value >> 31) << 1);
}

// a + b + carry (0 or 1) in 32 bits. C is the carry out, O the signed overflow. With `saturate` an overflow gives
// the limit on the side of the sign of a; Z and S then describe the limit, C and O are unchanged.
template <bool saturate>
constexpr value_and_flags add32(std::uint32_t a, std::uint32_t b, std::uint32_t carry) {
  std::uint32_t sum = a + b + carry;
  const std::uint32_t carry_out = ((a & b) | ((a | b) & ~sum)) >> 31;
  const std::uint32_t overflow = (~(a ^ b) & (a ^ sum)) >> 31;
  if (saturate) {
    const std::uint32_t limit = 0x7fffffffu + (a >> 31);
    sum = overflow != 0 ? limit : sum;
  }
  return {sum, zero_sign_flags(sum) | carry_out << 2 | overflow << 3};
}

// The same in 16 bits; a and b are zero-extended.
template <bool saturate>
constexpr value_and_flags add16(std::uint32_t a, std::uint32_t b, std::uint32_t carry) {
  const std::uint32_t wide = a + b + carry;
  std::uint32_t sum = wide & 0xffffu;
  const std::uint32_t carry_out = wide >> 16;
  const std::uint32_t overflow = (~(a ^ b) & (a ^ sum)) >> 15 & 1u;
  if (saturate) {
    const std::uint32_t limit = 0x7fffu + (a >> 15);
    sum = overflow != 0 ? limit : sum;
  }
  return {sum, zero_sign_flags(sum << 16) | carry_out << 2 | overflow << 3};
}

constexpr std::uint32_t sign_extend16(std::uint32_t x) {
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(x << 16) >> 16);
}
constexpr std::uint32_t sign_extend24(std::uint32_t x) {
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(x << 8) >> 8);
}

}  // namespace gt200::isa::tesla::semantics
