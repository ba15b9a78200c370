// The lines of constants for which instructions wait in front of issue: one for each warp.
//
// Issue asks in one cycle, and the fetches begin in the next one at the earliest. What is asked for in the present
// cycle is kept apart until then, so it does not matter whether the module that asks or the one that sends runs
// first. A line stays until send() is told that it need not be sent again.
#pragma once

#include <cstdint>

#include "sc_models/slots.h"
#include "sc_models/sm/cycles.h"

namespace gt200::model {

class wanted_lines {
 public:
  // The warp's oldest instruction, number `id`, needs the line of this address. At most once per warp and cycle.
  void ask(warp_slot warp, std::uint64_t id, std::uint64_t address, core_cycle now) {
    settle(now);
    asked_lines_[warp] = {id, address};
    asked_ |= warp_bit(warp);
    asked_at_ = now;
  }

  // Calls fetch(id, address) for each line asked for before this cycle, the oldest instruction first. If it
  // returns false, the line stays for a later cycle. Returns true if some stay.
  template <class Fetch>
  bool send(core_cycle now, Fetch fetch) {
    settle(now);
    for (warp_mask left = to_send_; left != 0;) {
      const warp_slot warp = oldest(left);
      left &= ~warp_bit(warp);
      if (fetch(lines_[warp].id, lines_[warp].address)) to_send_ &= ~warp_bit(warp);
    }
    return to_send_ != 0;
  }

 private:
  struct line {
    std::uint64_t id = 0;
    std::uint64_t address = 0;
  };
  // What was asked for before this cycle can be sent; it takes the place of what the warp wanted before.
  void settle(core_cycle now) {
    if (asked_ == 0 || asked_at_ >= now) return;
    for (const warp_slot warp : warps_in(asked_)) lines_[warp] = asked_lines_[warp];
    to_send_ |= asked_;
    asked_ = 0;
  }
  warp_slot oldest(warp_mask warps) const {
    warp_slot best = lowest_warp(warps);
    for (const warp_slot warp : warps_in(warps))
      if (lines_[warp].id < lines_[best].id) best = warp;
    return best;
  }

  per_warp<line> asked_lines_{};
  per_warp<line> lines_{};
  warp_mask asked_ = 0;
  warp_mask to_send_ = 0;
  core_cycle asked_at_;
};

}  // namespace gt200::model
