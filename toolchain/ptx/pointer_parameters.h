// Finds which parameters of a kernel are pointers to global memory.
//
// Tesla's addresses have 32 bits: the upper half of a 64-bit pointer is not read. Who launches a kernel can see
// from the parameters whether that half is zero. A pointer is what `cvta.to.global` converts, or what an access of
// global memory takes as its address without a sum; a number that is only added to a pointer may be negative, and
// is not one. Pointers that a kernel reads from memory are not found.
#pragma once

#include <cstdint>
#include <vector>

#include "toolchain/cubin/module.h"
#include "toolchain/ptx/ast.h"

namespace gt200::ptx {

// Offsets of 64-bit pointers from the first parameter, in bytes, in ascending order. `parameters` are those of `f`
// in the order of their declarations.
std::vector<std::uint32_t> pointer_parameters(const function& f, const std::vector<cubin::parameter>& parameters);

}  // namespace gt200::ptx
