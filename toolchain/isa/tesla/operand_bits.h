// Encoding of register and memory operands.
#pragma once

#include "toolchain/isa/tesla/element.h"

namespace gt200::isa::tesla {

void transfer_operand_bits(const element& e, instruction& i, bit_stream& s);

}  // namespace gt200::isa::tesla
