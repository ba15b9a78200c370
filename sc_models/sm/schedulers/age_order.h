// Orders by age: oldest, youngest, and the greedy form of each.
//
// The age of a warp is its launch time; ties are broken by slot number. oldest and youngest take the first ready
// warp of that order. gto and gty stay with a warp until it cannot issue, then take the oldest or the youngest.
// Source: gto: Rogers, O'Connor, Aamodt, Cache-Conscious Wavefront Scheduling, MICRO 2012; the others vary its
// parts as GPGPU-Sim's schedulers do.
#pragma once

#include "sc_models/sm/schedulers/scheduler.h"

namespace gt200::model {

// Keeps the relative ages of the warps. Finds the oldest or youngest warp of a set.
class warp_ages {
 public:
  warp_ages() {
    for (const warp_slot warp : first_of_kind<warp_slot>(max_warps)) older_[warp] = warp_bit(warp) - 1;
  }
  void started(warp_slot warp) {
    for (warp_mask& older : older_) older &= ~warp_bit(warp);
    older_[warp] = ~warp_bit(warp);
  }
  // `warps` is not 0.
  warp_slot oldest(warp_mask warps) const {
    warp_slot best = lowest_warp(warps);
    for (warp_mask older = warps & older_[best]; older != 0; older &= older_[best]) best = lowest_warp(older);
    return best;
  }
  warp_slot youngest(warp_mask warps) const {
    warp_slot best = lowest_warp(warps);
    for (warp_mask younger = warps & younger_than(best); younger != 0; younger &= younger_than(best))
      best = lowest_warp(younger);
    return best;
  }

 private:
  warp_mask younger_than(warp_slot warp) const { return ~older_[warp] & ~warp_bit(warp); }

  per_warp<warp_mask> older_;  // the slots whose warp is older
};

enum class age_end : std::uint8_t { oldest, youngest };

template <age_end end, bool greedy>
class age_order final : public scheduler {
 public:
  warp_slot pick(warp_mask candidates) const override {
    if (greedy && (candidates & current_) != 0) return lowest_warp(current_);
    return end == age_end::oldest ? ages_.oldest(candidates) : ages_.youngest(candidates);
  }
  void picked(warp_slot warp) override { current_ = warp_bit(warp); }
  void started(warp_slot warp) override {
    ages_.started(warp);
    current_ &= ~warp_bit(warp);
  }

 private:
  warp_ages ages_;
  warp_mask current_ = 0;  // the warp chosen last, while it occupies its slot
};

}  // namespace gt200::model
