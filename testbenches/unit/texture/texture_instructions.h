// Texture instructions for tests.
#pragma once

#include "toolchain/isa/common/instruction.h"

namespace gt200::model::testing {

// Reads one texel by an integer coordinate.
inline isa::instruction fetch_instruction(unsigned unit, unsigned write_mask = 1) {
  isa::instruction i;
  i.access.kind = isa::access_kind::texture;
  i.access.space = isa::memory_space::texture;
  i.texture.texel_numbers = true;
  i.texture.unit = static_cast<std::uint8_t>(unit);
  i.texture.arguments = 1;
  i.texture.write_mask = static_cast<std::uint8_t>(write_mask);
  return i;
}

// Samples by floating-point coordinates.
inline isa::instruction sample_instruction(unsigned unit, unsigned dimensions, unsigned write_mask = 1) {
  isa::instruction i = fetch_instruction(unit, write_mask);
  i.texture.texel_numbers = false;
  i.texture.arguments = static_cast<std::uint8_t>(dimensions);
  return i;
}

}  // namespace gt200::model::testing
