// The scheduling information that the compiler puts beside every instruction since Maxwell: 21 bits.
//
//   0-3    stall cycles before the warp's next instruction
//   4      0: prefer another warp next (yield)
//   5-7    dependency barrier SB0..SB5 that is released when the results are written; 7: none
//   8-10   dependency barrier that is released when the operands have been read; 7: none
//   11-16  dependency barriers that must be free before the instruction issues
//   17-20  source registers to keep in the reuse cache, a bit per operand port
//
// Text: "[B--2---:R1:W0:Y:S04]" waits for SB2, sets read barrier 1 and write barrier 0, yields and stalls four
// cycles; '-' stands for what is not there. Reuse is written at the operand ("R4.reuse"). The form is that of
// CuAssembler's sources.
//
// Sources: maxas wiki, Control Codes; Mesa NAK (MIT); Jia et al. 2018.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "toolchain/isa/common/instruction.h"

namespace gt200::isa::volta {

inline constexpr unsigned control_bits = 21;
inline constexpr unsigned dependency_barriers = 6;
inline constexpr std::uint8_t max_stall_cycles = 15;

control_codes decode_control(std::uint32_t bits);
std::uint32_t encode_control(const control_codes& codes);

// False if a barrier is named that does not exist (6): no compiler writes that.
bool is_defined(const control_codes& codes);

// The prefix of an instruction, without reuse.
std::string control_text(const control_codes& codes);
// Reads exactly that form. `reason` says what is wrong.
std::optional<control_codes> parse_control(std::string_view text, std::string& reason);

}  // namespace gt200::isa::volta
