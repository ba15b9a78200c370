// Infers what the pointers of a function point to. Accesses without a state space need this where the hardware has
// no generic addresses: on Tesla, and of constants.
#pragma once

#include <map>
#include <string>

#include "toolchain/ptx/ast.h"
#include "toolchain/ptx/module_layout.h"
#include "toolchain/ptx/pointee.h"

namespace gt200::ptx {

// By the name of a register or parameter.
using address_spaces = std::map<std::string, pointee>;

address_spaces infer_address_spaces(const function& f, const module_layout& layout,
                                    const address_spaces& arguments);

// Fills the pointees of `layout` that hold for the whole module. `windowless`: memories whose generic addresses the
// hardware does not know.
void find_kept_pointers(const module_source& module, pointee windowless, module_layout& layout);

// True if the function, or one it calls, has a membar that orders more than the block's own accesses.
bool uses_fence(const function& f, const module_layout& layout);

}  // namespace gt200::ptx
