// Sums and fused multiply-adds in double precision with any rounding mode, computed in integer arithmetic.
#pragma once

#include <cstdint>

#include "toolchain/isa/tesla/instruction.h"

namespace gt200::isa::tesla::semantics {

// The NaN of invalid operations: inf - inf, 0 * inf.
inline constexpr std::uint64_t invalid_nan64 = 0xfff8000000000000u;

// A NaN operand is the result, made quiet. If several operands are NaNs, the order of precedence is:
//   add_double(a, b): b, a    fma_double(a, b, c) = a * b + c: b, c, a
std::uint64_t add_double(std::uint64_t a, std::uint64_t b, rounding mode);
std::uint64_t fma_double(std::uint64_t a, std::uint64_t b, std::uint64_t c, rounding mode);

}  // namespace gt200::isa::tesla::semantics
