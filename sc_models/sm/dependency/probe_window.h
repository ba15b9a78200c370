// Which warps a mechanism with a limited number of look-ups probes in a cycle.
//
// Of the warps with a buffered instruction, `limit` are probed; the next cycle goes on with the one that follows
// the last, round robin. With no more of them than `limit`, all are probed. Stretches in which nobody asks are made
// up for: whoever asks does so again in the first cycle in which the mask has changed. Source of the rotation:
// assumption.
#pragma once

#include <cstdint>

#include "sc_models/sm/stage_tokens.h"
#include "tlm_bus/time.h"

namespace gt200::model {

class probe_window {
 public:
  explicit probe_window(unsigned limit) : limit_(limit) {}

  // The warps probed in `cycle` out of `occupied`. Cycles do not decrease; the same cycle asks with the same mask.
  warp_mask at(tlm_bus::cycle_t cycle, warp_mask occupied);
  // Probes made before cycle `until`, or the last cycle asked for, whichever is later.
  std::uint64_t probes_until(tlm_bus::cycle_t until) const;

 private:
  unsigned per_cycle() const;

  unsigned limit_;
  warp_slot first_;             // where the window of `cycle_` begins
  tlm_bus::cycle_t cycle_ = 0;  // the last one asked for,
  warp_mask occupied_ = 0;      // its mask,
  std::uint64_t probes_ = 0;    // and the probes before it
};

}  // namespace gt200::model
