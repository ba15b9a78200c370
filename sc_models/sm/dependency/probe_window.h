// Selects the warps that a mechanism with a limited number of look-ups per cycle probes.
//
// It probes `limit` of the warps with a buffered instruction; the next cycle continues after the last one, round
// robin. If there are at most `limit`, all are probed. Cycles without a query are made up for: the caller queries
// again in the first cycle in which the mask has changed. Source of the rotation: assumption.
#pragma once

#include <cstdint>

#include "sc_models/sm/cycles.h"
#include "sc_models/sm/stage_tokens.h"

namespace gt200::model {

class probe_window {
 public:
  explicit probe_window(unsigned limit) : limit_(limit) {}

  // The warps of `occupied` that are probed in `cycle`. Cycles must not decrease; the same cycle must have the same
  // mask.
  warp_mask at(core_cycle cycle, warp_mask occupied);
  // Probes before cycle `until`, or before the last queried cycle if that is later.
  std::uint64_t probes_until(core_cycle until) const;

 private:
  unsigned per_cycle() const;

  unsigned limit_;
  warp_slot first_;           // start of the window of `cycle_`
  core_cycle cycle_;          // the last queried cycle,
  warp_mask occupied_ = 0;    // its mask,
  std::uint64_t probes_ = 0;  // and the probes before it
};

}  // namespace gt200::model
