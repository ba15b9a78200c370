// Quads: groups of four neighbouring lanes.
#pragma once

#include "toolchain/isa/common/instruction.h"

namespace gt200::arch_state {

// All four lanes of every quad with an active lane.
constexpr isa::lane_mask whole_quads(isa::lane_mask mask) {
  const isa::lane_mask any = (mask | mask >> 1 | mask >> 2 | mask >> 3) & 0x11111111u;
  return any * 0xfu;
}

}  // namespace gt200::arch_state
