// What policies see of barriers: the warps for which others of their block wait.
#pragma once

#include <cstdint>

#include "sc_models/sm/interfaces.h"

namespace gt200::model {

// Of `unfinished`, those that do not wait at a barrier while others of their block do. `waiting`: who waits there.
inline warp_mask awaited_warps(const block_control_state_if& blocks, warp_mask unfinished, warp_mask waiting) {
  std::uint64_t slots = 0;
  for (const warp_slot warp : warps_in(waiting)) slots |= std::uint64_t{1} << blocks.block_slot_of(warp).index();
  if (slots == 0) return 0;
  warp_mask awaited = 0;
  for (const warp_slot warp : warps_in(unfinished & ~waiting))
    if ((slots >> blocks.block_slot_of(warp).index() & 1) != 0) awaited |= warp_bit(warp);
  return awaited;
}

}  // namespace gt200::model
