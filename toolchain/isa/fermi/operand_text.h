// Shared parts of the elements for operands: registers, numbers, constants and addresses as bits and text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "toolchain/isa/common/bit_stream.h"
#include "toolchain/isa/common/text_stream.h"
#include "toolchain/isa/fermi/instruction.h"

namespace gt200::isa::fermi {

// "$r4", "$r4d", "$r4q" for 1, 2, 4 words.
std::string register_text(unsigned index, unsigned words);
void transfer_register_text(operand& o, unsigned words, text_stream& s);
void transfer_register_bits(operand& o, bit_field field, unsigned words, bit_stream& s);
void transfer_number_text(std::int64_t& value, std::int64_t low, std::int64_t high, text_stream& s);

// "c0[0x20]", "c1[$r2+0x4]".
std::string constant_text(const operand& o);
bool parse_constant(std::string_view token, operand& o);
// "$r1+0x10", "$r2d-0x4", "0x10".
bool parse_address(std::string_view inside, operand& o, bool may_be_wide);
// The inside of "name[...]".
std::optional<std::string_view> inside_of(std::string_view token, std::string_view name);

}  // namespace gt200::isa::fermi
