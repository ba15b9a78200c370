// To which of its exited warps a scheduler charges a lost slot when no other warp is left.
#pragma once

#include "sc_models/slots.h"
#include "sc_models/sm/stall_cause.h"

namespace gt200::model {

// Those that still have something under way; all of them if none has.
inline warp_mask charged_among(warp_mask exited, const per_warp<stall_cause>& awaited) {
  warp_mask result = 0;
  for (const warp_slot warp : warps_in(exited))
    if (awaited[warp] != stall_cause::draining) result |= warp_bit(warp);
  return result != 0 ? result : exited;
}

}  // namespace gt200::model
