// Loose round robin, and its greedy form.
//
// lrr: the neighbour of the warp chosen last comes first, the rest keep their order; a warp that cannot go is
// passed over. gtlrr: stays with a warp until it cannot go, then lrr. Sources: lrr is the baseline of the
// literature (Narasiman et al., MICRO 2011, section 2; GPGPU-Sim 3.x manual); gtlrr as named beside gto and gty
// there.
#pragma once

#include "sc_models/sm/schedulers/scheduler.h"

namespace gt200::model {

// The first of `candidates` from slot `first` (below max_warps) on, round robin.
inline unsigned first_from(unsigned first, warp_mask candidates) {
  const warp_mask later = candidates & (~warp_mask{0} << first);
  return static_cast<unsigned>(__builtin_ctzll(later != 0 ? later : candidates));
}

class loose_round_robin final : public scheduler {
 public:
  unsigned pick(warp_mask candidates) const override { return first_from(next_, candidates); }
  void picked(unsigned warp) override { next_ = (warp + 1) % max_warps; }
  void started(unsigned) override {}

 private:
  unsigned next_ = 0;
};

class greedy_round_robin final : public scheduler {
 public:
  unsigned pick(warp_mask candidates) const override {
    return first_from(next_, (candidates & current_) != 0 ? current_ : candidates);
  }
  void picked(unsigned warp) override {
    current_ = warp_bit(warp);
    next_ = (warp + 1) % max_warps;
  }
  void started(unsigned warp) override { current_ &= ~warp_bit(warp); }

 private:
  warp_mask current_ = 0;  // the warp chosen last, while it occupies its slot
  unsigned next_ = 0;
};

}  // namespace gt200::model
