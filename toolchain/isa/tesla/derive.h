// Fields of an instruction that follow from the others.
#pragma once

#include "toolchain/isa/tesla/instruction.h"
#include "toolchain/isa/tesla/opcode_table.h"

namespace gt200::isa {

// Types of narrow operands, predication: what both directions of the codec need.
void normalize(instruction& i);

// Unit, capability, control, register ranges, memory reads and the semantics function.
void derive(instruction& i, const row& r);

// True if both mean the same: all fields but words, length and what derive() fills.
bool equivalent(const instruction& a, const instruction& b);

}  // namespace gt200::isa
