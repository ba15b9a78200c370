// Fills the fields of an instruction that follow from others: what the models and the dependency trackers see.
#pragma once

#include "toolchain/isa/volta/opcode_table.h"

namespace gt200::isa::volta {

void derive(instruction& i, const row& r);

}  // namespace gt200::isa::volta
