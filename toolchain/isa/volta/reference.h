// The forms of every instruction, for people who look one up.
#pragma once

#include <vector>

#include "toolchain/isa/common/form.h"

namespace gt200::isa::volta {

// One form per row of the opcode table.
std::vector<form> forms();

}  // namespace gt200::isa::volta
