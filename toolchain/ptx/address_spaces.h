// Infers what the pointers of a function point to. Accesses without a state space need this, because Tesla has no
// generic addresses.
#pragma once

#include <map>
#include <string>

#include "toolchain/ptx/ast.h"
#include "toolchain/ptx/module_layout.h"

namespace gt200::ptx {

// By the name of a register or parameter. unknown: a number, or nothing known. global_value: a number that came
// from the host or from memory; if it is a pointer, it points to global memory. generic: more than one space, or
// neither a pointer nor certainly a number; an access through it is refused.
enum class pointee : std::uint8_t { unknown, global_value, global, shared, constant, local, generic };
using address_spaces = std::map<std::string, pointee>;

address_spaces infer_address_spaces(const function& f, const module_layout& layout,
                                    const address_spaces& arguments);

// True if the function, or one it calls, has a membar that orders more than the block's own accesses.
bool uses_fence(const function& f, const module_layout& layout);

}  // namespace gt200::ptx
