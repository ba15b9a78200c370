// Executes one arithmetic instruction of PTX on the bits of its operands.
#pragma once

#include <array>
#include <cstdint>

#include "toolchain/ptx/ast.h"

namespace gt200::ptx {

bool has_modifier(const statement& s, const char* name);

// The value of `bits` as a number of type t, sign- or zero-extended to 64 bits.
std::uint64_t typed(std::uint64_t bits, scalar t);

// Type of the operands, and type of the result where the statement gives another one (cvt, set, slct, .wide).
scalar operand_type(const statement& s);
scalar result_type(const statement& s);

// Before the next two functions: the rules of the module's target for floats in this statement.
void follow_target(const statement& s, bool is_tesla);

// `in` are the sources, as typed by the statement. Throws std::logic_error for an instruction that is not known.
std::uint64_t arithmetic(const statement& s, const std::array<std::uint64_t, 4>& in);
bool comparison(const statement& s, std::uint64_t a, std::uint64_t b);

}  // namespace gt200::ptx
