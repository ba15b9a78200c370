// Machine words <-> instruction <-> text. One table (see opcode_table.h) drives all four directions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "toolchain/isa/volta/instruction.h"

namespace gt200::isa::volta {

struct decode_error {
  std::string reason;  // one sentence without address: the caller knows where the words came from
};

// Decodes one instruction of 16 bytes. Returns nullopt and fills `error` if no row of the table matches, a field
// has no meaning, or the control codes name a barrier that does not exist.
std::optional<instruction> decode(uint128 words, decode_error& error);

// Encodes an instruction with its control codes. A register to be reused needs no bit in codes.reuse; other bits
// there are kept, as compilers set them in some instructions for reasons that are not known. `error` explains what
// cannot be encoded. Fills words[] and all derived fields.
bool encode(instruction& i, decode_error& error);

// Text of an encoded instruction at the byte address `at`, in the notation that CuAssembler and its relatives read,
// without its control codes: "@!P0 LDG.E.64.SYS R2, [R4+0x8]". Numbers of float operations are decimal, as short as
// possible. A non-empty `target_label` replaces the target.
std::string disassemble(const instruction& i, code_address at, std::string_view target_label = {});
// The same without a place: a relative target appears as distance from the next instruction, such as "+0x30".
std::string disassemble(const instruction& i);

// Parses one instruction line of the same form, which may begin with control codes (control_codes.h), for the byte
// address `at`. Without control codes it gets serial_codes(). An identifier in place of a target is returned in
// `target_label`; set_target() fills it in later.
std::optional<instruction> parse(std::string_view line, code_address at, std::string& target_label,
                                 decode_error& error);

// Codes with which an instruction is right wherever it stands: it waits for all results of instructions with such
// codes, and the next one issues when no fixed latency is open. SB0 and SB1 count for them.
control_codes serial_codes(const instruction& i);

// True if the results or operands need a dependency barrier: the time of the instruction varies.
bool has_variable_latency(const instruction& i);

// The byte address that a control instruction at `at` names.
code_address target_of(const instruction& i, code_address at);
// Addresses have 32 bits and wrap around.
void set_target(instruction& i, code_address at, code_address target);
// True for instructions that name a place in the code: bra, bssy, calls. A place behind a register counts too.
bool has_target(const instruction& i);

// True if both instructions perform the same operation with the same control codes.
bool same_operation(const instruction& a, const instruction& b);

}  // namespace gt200::isa::volta
