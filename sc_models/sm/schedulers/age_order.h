// Orders by age: oldest, youngest, and the greedy form of each.
//
// Age is the time at which the warp was launched, then its slot number. oldest and youngest take the first ready
// warp of that order. gto and gty stay with a warp until it cannot go, then take the oldest or the youngest.
// Source: gto: Rogers, O'Connor, Aamodt, Cache-Conscious Wavefront Scheduling, MICRO 2012; the others vary its
// parts as GPGPU-Sim's schedulers do.
#pragma once

#include "sc_models/sm/schedulers/scheduler.h"

namespace gt200::model {

// Knows which warps are older than which. Finds the oldest or youngest warp of a set.
class warp_ages {
 public:
  warp_ages() {
    for (unsigned warp = 0; warp < max_warps; ++warp) older_[warp] = warp_bit(warp) - 1;
  }
  void started(unsigned warp) {
    for (warp_mask& older : older_) older &= ~warp_bit(warp);
    older_[warp] = ~warp_bit(warp);
  }
  // `warps` is not 0.
  unsigned oldest(warp_mask warps) const {
    unsigned best = first_of(warps);
    for (warp_mask older = warps & older_[best]; older != 0; older &= older_[best]) best = first_of(older);
    return best;
  }
  unsigned youngest(warp_mask warps) const {
    unsigned best = first_of(warps);
    for (warp_mask younger = warps & younger_than(best); younger != 0; younger &= younger_than(best))
      best = first_of(younger);
    return best;
  }

 private:
  static unsigned first_of(warp_mask warps) { return static_cast<unsigned>(__builtin_ctzll(warps)); }
  warp_mask younger_than(unsigned warp) const { return ~older_[warp] & ~warp_bit(warp); }

  std::array<warp_mask, max_warps> older_;  // by slot: the slots whose warp is older
};

enum class age_end : std::uint8_t { oldest, youngest };

template <age_end end, bool greedy>
class age_order final : public scheduler {
 public:
  unsigned pick(warp_mask candidates) const override {
    if (greedy && (candidates & current_) != 0) return static_cast<unsigned>(__builtin_ctzll(current_));
    return end == age_end::oldest ? ages_.oldest(candidates) : ages_.youngest(candidates);
  }
  void picked(unsigned warp) override { current_ = warp_bit(warp); }
  void started(unsigned warp) override {
    ages_.started(warp);
    current_ &= ~warp_bit(warp);
  }

 private:
  warp_ages ages_;
  warp_mask current_ = 0;  // the warp chosen last, while it occupies its slot
};

}  // namespace gt200::model
