// Instructions that no target has as one operation, written with others, so that every target lowers them: sums and
// products of 64 bits with a carry, lop3 with a predicate, set of halves, and the SIMD video instructions.
#pragma once

#include <vector>

#include "toolchain/ptx/ast.h"

namespace gt200::ptx {

// The statements that `s` stands for, between the begin and the end of a scope; none if it is not of these, or if
// the target (sm_<capability>) does not have it. Throws input_error if a part of it has no meaning.
std::vector<statement> statements_of(const statement& s, unsigned capability, const source_file& file);

}  // namespace gt200::ptx
