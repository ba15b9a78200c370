// Whether two ranges of registers have a register in common.
#pragma once

#include "toolchain/isa/common/instruction.h"

namespace gt200::isa {

// `b` must not be empty. A range may extend beyond the end of its file.
inline bool overlap(const register_range& a, const register_range& b) {
  // Where one of them begins, counted from the beginning of the other; wraps to a large number if it begins before.
  const unsigned a_in_b = unsigned{a.first} - b.first;
  const unsigned b_in_a = unsigned{b.first} - a.first;
  return a.file == b.file && ((a_in_b < b.count && a.count != 0) || b_in_a < a.count);
}

}  // namespace gt200::isa
