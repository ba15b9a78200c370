// A small instruction set: 8 instructions of 4 bytes, 64 registers, 2 predicates of one bit, control codes.
//
//   31..29 opcode | 28..23 d | 22..17 a | 16..11 b | 10..5 number (signed) | 4..3 barrier to release | 2..0 wait
//   mask
//
//   add    d = a + b + number            load   d = global[a + number]
//   less   p<d> = a < b + number         store  global[a + number] = b
//   bra    lanes with p<a> != b go to pc + 4 number
//   meet   paths of the warp meet here   bar    all warps of the block meet here
//   exit
//
// Results are not tracked by register. An instruction with a result names the dependency barrier (1..3, 0: none)
// that its write-back releases; whoever needs the result waits for it by bit (barrier - 1) of its wait mask.
#pragma once

#include <cstdint>

#include "toolchain/isa/common/instruction.h"

namespace gt200::toy {

enum class opcode : std::uint8_t { add, load, store, less, bra, meet, bar, exit };

inline constexpr unsigned register_count = 64;
inline constexpr unsigned zero_register = 63;  // reads as 0
inline constexpr unsigned predicate_count = 2;
inline constexpr unsigned dependency_barriers = 3;

struct instruction : isa::instruction {
  opcode op = opcode::exit;
  std::uint8_t d = 0;
  std::uint8_t a = 0;
  std::uint8_t b = 0;
  std::int32_t number = 0;
};
inline const instruction& as_toy(const isa::instruction& any) { return static_cast<const instruction&>(any); }

// `barrier` is released by the instruction, `waits` is its wait mask.
constexpr std::uint32_t encode(opcode op, unsigned d, unsigned a, unsigned b, int number, unsigned barrier = 0,
                               unsigned waits = 0) {
  return static_cast<std::uint32_t>(op) << 29 | d << 23 | a << 17 | b << 11 |
         (static_cast<std::uint32_t>(number) & 0x3fu) << 5 | barrier << 3 | waits;
}

instruction decode(std::uint32_t word);

}  // namespace gt200::toy
