// Machine words <-> instruction <-> text. One table (see opcode_table.h) drives all four directions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "toolchain/isa/tesla/instruction.h"

namespace gt200::isa::tesla {

// Length in bytes of the instruction starting with this word: 4 or 8.
inline constexpr std::uint32_t long_form_bit = 1;
constexpr int length_of(std::uint32_t first_word) { return (first_word & long_form_bit) != 0 ? 8 : 4; }

struct decode_error {
  std::string reason;  // one sentence without address: the caller knows where the words came from
};

// Decodes one instruction. `second_word` is ignored for short instructions.
// Returns nullopt and fills `error` when no row of the table matches or a field has no meaning.
std::optional<instruction> decode(std::uint32_t first_word, std::uint32_t second_word, decode_error& error);

// Encodes an instruction. `error` explains what cannot be encoded (for example "source 2 must be below $r64 in a
// short form"). Fills words[] and length. `force_long` selects the 8-byte form even if a short one exists.
bool encode(instruction& i, decode_error& error, bool force_long = false);

// envydis-style text of an encoded instruction, for example "exit st b32 g14[$r1] $r0". words[] and length must be
// set, as decode, encode and parse do. 4-byte instructions are prefixed with "short". A non-empty `target_label`
// replaces the numeric branch target.
std::string disassemble(const instruction& i, std::string_view target_label = {});

// Parses one instruction line in the same syntax, without label definition or comment. An identifier in place of a
// branch target is returned in `target_label`. The result is encoded except for that target. It has 8 bytes, or 4
// if the line starts with "short".
std::optional<instruction> parse(std::string_view line, std::string& target_label, decode_error& error);

// True if both instructions perform the same operation, whatever their encoding. Compares all fields except words,
// length and derived fields.
bool same_operation(const instruction& a, const instruction& b);

}  // namespace gt200::isa::tesla
