// Computes the fields of an instruction that follow from the others.
#pragma once

#include <string>

#include "toolchain/isa/tesla/instruction.h"
#include "toolchain/isa/tesla/opcode_table.h"

namespace gt200::isa::tesla {

// Sets types of narrow operands and predication: both directions of the codec need these.
void normalize(instruction& i);

// Sets capability, control and the part that the models read: isa::instruction except exit, join, length and words.
void derive(instruction& i, const row& r);

// The isa::instruction::text function of all Tesla instructions.
std::string text_of_tesla(const isa::instruction& i);

// True if both have the same meaning. Compares all fields except words, length and what derive() sets.
bool equivalent(const instruction& a, const instruction& b);

}  // namespace gt200::isa::tesla
