// Tests of the flags in $c. The codes are those of Tesla (envytools isa.rst): bits less 1, equal 2, greater 4,
// unordered 8 of the comparison of a result with zero, and from 16 on single flags.
#pragma once

#include "toolchain/isa/fermi/instruction.h"

namespace gt200::isa::fermi {

constexpr bool condition_holds(std::uint8_t test, std::uint8_t flags) {
  const bool zero = (flags & flag_zero) != 0;
  const bool sign = (flags & flag_sign) != 0;
  const bool carry = (flags & flag_carry) != 0;
  const bool overflow = (flags & flag_overflow) != 0;
  if (test < 16) {
    const unsigned relation = zero && sign ? 8u : zero ? 2u : sign != overflow ? 1u : 4u;
    return (test & relation) != 0;
  }
  switch (test) {
    case 16: return !overflow;
    case 17: return !carry;
    case 18: return !sign;
    case 19: return zero || !carry;
    case 20: return carry && !zero;
    case 21: return sign;
    case 22: return carry;
    default: return overflow;
  }
}

}  // namespace gt200::isa::fermi
