// Control words: the scheduling information of Kepler, Maxwell and Pascal stands in words of its own between the
// instructions.
//
//   Kepler          one word of 8 bytes before 7 instructions, 8 bits for each
//     sm_30         bits 4-59; bits 0-3 hold 7, bits 60-63 hold 2
//     sm_32 to 37   bits 2-57; bits 0-1 hold 0, bits 58-63 hold 2
//   Maxwell, Pascal one word before 3 instructions, 21 bits for each from bit 0 on (control_codes.h)
//
// Groups start at multiples of their size, 64 or 32 bytes.
//
// Sources: maxas wiki, Control Codes; Mesa nouveau (nvc0, gk110) and NAK (sm30_instr_latencies.rs).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "toolchain/isa/volta/control_codes.h"

namespace gt200::isa::volta {

inline constexpr unsigned maxwell_group = 3;  // instructions behind a control word
inline constexpr unsigned kepler_group = 7;

std::array<control_codes, maxwell_group> decode_maxwell_word(std::uint64_t word);
std::uint64_t encode_maxwell_word(const std::array<control_codes, maxwell_group>& codes);
// Bit 63 belongs to no instruction.
inline bool is_maxwell_word(std::uint64_t word) { return word >> 63 == 0; }

// The meaning of one byte of Kepler.
struct kepler_code {
  enum class kind : std::uint8_t {
    stall,            // 0x20 + n: n + 1 cycles before the next instruction
    attribute_stall,  // 0x40 + n: the same, behind a store of attributes
    dual_issue,       // 0x04: the next instruction issues in the same cycle
    none,             // 0x00: 16 cycles; the last branch, and padding
    texture_barrier,  // 0xc2
    unknown
  };
  kind what = kind::none;
  std::uint8_t cycles = 0;
  std::uint8_t byte = 0;
};
kepler_code decode_kepler_code(std::uint8_t byte);
std::uint8_t encode_kepler_code(const kepler_code& code);
// "[S09]", "[dual]"
std::string kepler_text(const kepler_code& code);

// `sm`: 30 to 37. Nothing if the word is no control word.
std::optional<std::array<kepler_code, kepler_group>> decode_kepler_word(std::uint64_t word, unsigned sm);
std::uint64_t encode_kepler_word(const std::array<kepler_code, kepler_group>& codes, unsigned sm);

// Instructions behind each control word of these chips, 0 if the codes are in the instructions. `sm`: 20 to 72.
constexpr unsigned instructions_per_control_word(unsigned sm) {
  return sm < 30 || sm >= 70 ? 0 : sm < 50 ? kepler_group : maxwell_group;
}

// The mnemonic of an instruction of sm_30 to sm_62; "?" if it is not known.
std::string mnemonic_of(std::uint64_t word, unsigned sm);

}  // namespace gt200::isa::volta
