// Spelling of register and memory operands.
#pragma once

#include <string_view>

#include "toolchain/isa/tesla/element.h"

namespace gt200::isa::tesla {

void transfer_operand_text(const element& e, instruction& i, text_stream& s, std::string& target_label);

// Prints or parses a prefix and a number, such as "$c2", "$t0", "$s1". The encoder checks the range.
void transfer_numbered_text(std::uint8_t& index, std::string_view prefix, text_stream& s);

}  // namespace gt200::isa::tesla
