// The choice that lrr, gtlrr and two_level make among equals.
#pragma once

#include "sc_models/sm/stage_tokens.h"

namespace gt200::model {

// The first of `candidates` from slot `first` (below max_warps) on, round robin.
inline unsigned first_from(unsigned first, warp_mask candidates) {
  const warp_mask later = candidates & (~warp_mask{0} << first);
  return static_cast<unsigned>(__builtin_ctzll(later != 0 ? later : candidates));
}

}  // namespace gt200::model
