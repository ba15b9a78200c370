// Operands as text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "toolchain/isa/volta/instruction.h"

namespace gt200::isa::volta {

// "R4", "-|R4|.reuse", "R4.B1", "c[0x0][0x160]", "c[0x3][R2+0x4]", "0x10", "1.5"
std::string operand_text(const operand& o);
// False with a reason if the text is none of these. `form`: how a number is read.
bool parse_operand(std::string_view text, immediate_form form, operand& o, std::string& reason);

// A number of 16 bits: a decimal, which is rounded, or its bits.
std::optional<std::uint32_t> parse_half(std::string_view text);

// "[R2+0x8]", "[0x10]"
std::string memory_text(const operand& o);
bool parse_memory(std::string_view text, operand& o);

}  // namespace gt200::isa::volta
