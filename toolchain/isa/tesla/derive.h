// Fields of an instruction that follow from the others.
#pragma once

#include <string>

#include "toolchain/isa/tesla/instruction.h"
#include "toolchain/isa/tesla/opcode_table.h"

namespace gt200::isa::tesla {

// Types of narrow operands, predication: what both directions of the codec need.
void normalize(instruction& i);

// Capability, control, and the part that the models read: isa::instruction but for exit, join, length and words.
void derive(instruction& i, const row& r);

// isa::instruction::text of every instruction of this set.
std::string text_of_tesla(const isa::instruction& i);

// True if both mean the same: all fields but words, length and what derive() fills.
bool equivalent(const instruction& a, const instruction& b);

}  // namespace gt200::isa::tesla
