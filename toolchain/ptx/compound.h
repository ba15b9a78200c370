// Instructions that no target has as one operation, written with others, so that every target lowers them: sums and
// products of 64 bits with a carry, lop3 with a predicate, set of halves, and the SIMD video instructions.
#pragma once

#include <vector>

#include "toolchain/ptx/ast.h"
#include "toolchain/ptx/pointee.h"

namespace gt200::ptx {

// The statements that `s` stands for, between the begin and the end of a scope; none if it is not of these, or if
// the target (sm_<capability>) does not have it. Throws input_error if a part of it has no meaning.
std::vector<statement> statements_of(const statement& s, unsigned capability, const source_file& file);

// The address of an access that names no state space; nullptr: it is no such access.
const operand* generic_address(const statement& s);

// An access through a pointer to one of several memories, each under the guard that the pointer is one to it.
// Memories that have a window of generic addresses are one, by an access that names no state space. None: `s` can
// stay as it is.
std::vector<statement> accesses_by_space(const statement& s, pointee where, pointee windowless,
                                         const source_file& file);

}  // namespace gt200::ptx
