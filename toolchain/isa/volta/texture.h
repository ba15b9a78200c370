// The arguments of a texture fetch, and where they are.
//
// The order is: coordinates (those of an array behind its index), the handle (.B), the level or its bias (.LL,
// .LB), texel offsets (.AOFFI), the value to compare with (.DC). With .SCR there are four at most, and source a
// holds the first half of them, rounded up, source b the rest. Without, a holds the coordinates and b what follows.
//
// Sources: samples of CuAssembler show how many registers either source takes. Assumption: with .SCR the order is
// the same as without.
#pragma once

#include <array>
#include <cstdint>

#include "toolchain/isa/volta/instruction.h"

namespace gt200::isa::volta {

inline bool is_texture_fetch(const instruction& i) { return i.op == opcode::tex || i.op == opcode::tld; }

inline constexpr unsigned max_texture_arguments = 8;
inline constexpr unsigned max_scalar_arguments = 4;

struct texture_argument {
  std::uint8_t source = 0;  // of the instruction: a 0, b 1
  std::uint8_t word = 0;
  // In the bundle: coordinates are in source 0, the handle in source 2, the rest in source 1.
  std::uint8_t row_source = 0;
  std::uint8_t row = 0;
};

struct texture_arguments {
  std::array<texture_argument, max_texture_arguments> of{};  // first `count` entries valid
  std::uint8_t count = 0;
  std::uint8_t coordinates = 0;
  std::uint8_t extras = 0;              // in source 1 of the bundle
  std::array<std::uint8_t, 2> words{};  // registers of the sources a and b
  bool possible = true;                 // false: too many for .SCR
};
texture_arguments arguments_of(const instruction& fetch);

}  // namespace gt200::isa::volta
