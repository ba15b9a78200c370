// The values of one warp instruction while it passes through a functional unit.
//
// Operand collector and emulator fill the sources; the semantics functions write the results. Lanes outside the
// executed mask keep their old values. All values are raw bits.
#pragma once

#include <cstdint>

#include "toolchain/isa/common/instruction.h"

namespace gt200::isa {

struct alignas(64) lane_words {
  std::uint32_t lane[warp_size];
};

struct lane_bundle {
  // source[i][k]: k-th 32-bit word (low first) of source operand i. Narrow operands (u8, u16, s16, register
  // halves) arrive zero- or sign-extended to 32 bits; immediates are broadcast to all lanes.
  lane_words source[3][4];
  // Destination words, low word first. Loads and textures fill up to four.
  lane_words destination[4];
  // Nibbles {O,C,S,Z} (Z = bit 0) of $c<condition_source>, and of the written $c register.
  std::uint8_t flags_in[warp_size];
  std::uint8_t flags_out[warp_size];
  // 16-bit $a values of the single address register that a memory operand uses; zero if there is none.
  std::uint16_t address_in[warp_size];
  // $a destination (shl_to_a, add_to_a).
  std::uint16_t address_out[warp_size];
  // The address register of a memory operand after its post-increment.
  std::uint16_t address_incremented[warp_size];
  // Byte addresses of ld/st/red/atom instructions; the upper half only if the access has wide addresses.
  lane_words address;
  lane_words address_high;
  // Predicates of generations whose predicates are single bits, as 0 or 1: the guard of an instruction, its sources
  // and its results.
  std::uint8_t guard[warp_size];
  std::uint8_t predicate_in[3][warp_size];
  std::uint8_t predicate_out[2][warp_size];
};

}  // namespace gt200::isa
