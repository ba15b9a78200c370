// Texture instructions for tests.
#pragma once

#include "toolchain/isa/tesla/instruction.h"

namespace gt200::model::testing {

// Reads one texel by an integer coordinate.
inline isa::instruction fetch_instruction(unsigned unit, unsigned write_mask = 1) {
  isa::instruction i;
  i.op = isa::opcode::texfetch;
  i.texture_unit = static_cast<std::uint8_t>(unit);
  i.texture_arguments = 1;
  i.texture_write_mask = static_cast<std::uint8_t>(write_mask);
  return i;
}

// Samples by floating-point coordinates.
inline isa::instruction sample_instruction(unsigned unit, unsigned dimensions, unsigned write_mask = 1) {
  isa::instruction i = fetch_instruction(unit, write_mask);
  i.op = isa::opcode::tex;
  i.texture_arguments = static_cast<std::uint8_t>(dimensions);
  return i;
}

}  // namespace gt200::model::testing
