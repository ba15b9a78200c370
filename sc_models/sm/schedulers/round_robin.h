// The choice among equals in lrr, gtlrr and two_level.
#pragma once

#include "sc_models/slots.h"

namespace gt200::model {

// The first of `candidates` from slot `first` on, round robin.
inline warp_slot first_from(warp_slot first, warp_mask candidates) {
  const warp_mask later = candidates & warps_from(first);
  return lowest_warp(later != 0 ? later : candidates);
}

}  // namespace gt200::model
