// The bits of register and memory operands in the words of an instruction. transfer_operand_bits() decodes or
// encodes them, depending on the bit_stream (bit_stream.h).
#pragma once

#include "toolchain/isa/tesla/element.h"

namespace gt200::isa::tesla {

void transfer_operand_bits(const element& e, instruction& i, bit_stream& s);

}  // namespace gt200::isa::tesla
