// Machine words <-> instruction <-> text. One table (see opcode_table.h) drives all four directions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "toolchain/isa/fermi/instruction.h"

namespace gt200::isa::fermi {

struct decode_error {
  std::string reason;  // one sentence without address: the caller knows where the words came from
};

// Decodes one instruction of 8 bytes; the first word is the low half. Returns nullopt and fills `error` if no row
// of the table matches or a field has no meaning.
std::optional<instruction> decode(std::uint64_t words, decode_error& error);

// Encodes an instruction, with an immediate of 32 bits if long_immediate asks for it or no shorter form exists.
// `error` explains what cannot be encoded. Fills words[] and all derived fields.
bool encode(instruction& i, decode_error& error);

// Text of an encoded instruction at the byte address `at`, in the syntax of envydis, for example
// "join (not $p0) add b32 $r1 $r2 c0[0x20]". Differences: register 63 and predicate 7 have their names, forms with
// a 32-bit immediate begin with "long", and atomics with "atom". A non-empty `target_label` replaces the target.
std::string disassemble(const instruction& i, code_address at, std::string_view target_label = {});
// The same without a place: a relative target appears as distance from the next instruction, such as "+0x18".
std::string disassemble(const instruction& i);

// Parses one instruction line in the same syntax, without label definition or comment, for the byte address `at`.
// An identifier in place of a target is returned in `target_label`; set_target() fills it in later.
std::optional<instruction> parse(std::string_view line, code_address at, std::string& target_label,
                                 decode_error& error);

// The byte address that a control instruction at `at` names.
code_address target_of(const instruction& i, code_address at);
bool set_target(instruction& i, code_address at, code_address target, decode_error& error);
// True for branches, calls and the instructions that push a target, if it is in the instruction.
bool has_target(const instruction& i);

// True if both instructions perform the same operation, whatever their encoding.
bool same_operation(const instruction& a, const instruction& b);

constexpr std::uint64_t words_of(const isa::instruction_words& w) { return w[0] | std::uint64_t{w[1]} << 32; }

}  // namespace gt200::isa::fermi
