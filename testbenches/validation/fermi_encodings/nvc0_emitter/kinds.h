// What the driver can ask for: one function per kind of instruction. Each makes a random one.
#pragma once

#include <vector>

#include "maker.h"

namespace gt200::nvc0_emitter {

using kind = nv50_ir::Instruction* (*)(maker&);

// Functions of the groups, one list per file.
std::vector<kind> arithmetic_kinds();
std::vector<kind> bit_kinds();
std::vector<kind> compare_kinds();
std::vector<kind> convert_kinds();
std::vector<kind> move_kinds();
std::vector<kind> memory_kinds();
std::vector<kind> control_kinds();
std::vector<kind> texture_kinds();

}  // namespace gt200::nvc0_emitter
