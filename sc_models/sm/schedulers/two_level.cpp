// Two-level scheduling: a small active set is scheduled round robin; the other warps wait outside it.
//
// A warp leaves the set when it waits for global memory or texture, or at a barrier. Its place goes to the warp
// that has been outside longest and does not have such a wait any more. So the warps do not all reach their memory
// accesses at the same time. Warps outside issue only in slots that no warp of the set can use. So no slot is lost,
// and a set full of warps that wait for one outside cannot deadlock. Sources: Narasiman et al., MICRO 2011; the set
// with promotion and demotion: Gebhart et al., ISCA 2011 (there, warps outside never issue).
#include <algorithm>

#include "sc_models/sm/schedulers/policies.h"
#include "sc_models/sm/schedulers/round_robin.h"
#include "toolchain/bits.h"

namespace gt200::model {
namespace {

class two_level_scheduler final : public scheduler {
 public:
  explicit two_level_scheduler(unsigned active_warps) : places_(active_warps) {}

  warp_slot pick(warp_mask candidates) const override;
  void picked(warp_slot warp) override { next_ = warp_after(warp); }
  void started(warp_slot warp) override;
  bool observes() const override { return true; }
  void observe(const warp_observation& seen) override;

 private:
  void remove(warp_mask warps);

  unsigned places_;
  warp_mask active_ = 0;
  std::array<warp_slot, max_warps> outside_{};  // in order of arrival
  unsigned waiting_ = 0;                        // number of warps outside
  warp_mask unfinished_ = 0;                    // at the last observation
  warp_slot next_;
};

warp_slot two_level_scheduler::pick(warp_mask candidates) const {
  const warp_mask inside = candidates & active_;
  return first_from(next_, inside != 0 ? inside : candidates);
}

// Takes warps out of the set and out of the queue.
void two_level_scheduler::remove(warp_mask warps) {
  active_ &= ~warps;
  const auto begin = outside_.begin();
  const auto left =
      std::remove_if(begin, begin + waiting_, [&](warp_slot warp) { return (warps & warp_bit(warp)) != 0; });
  waiting_ = static_cast<unsigned>(left - begin);
}

void two_level_scheduler::started(warp_slot warp) {
  remove(warp_bit(warp));
  outside_[waiting_++] = warp;
}

void two_level_scheduler::observe(const warp_observation& seen) {
  // 1. Warps that have ended are removed.
  if (const warp_mask ended = unfinished_ & ~seen.unfinished; ended != 0) remove(ended);
  unfinished_ = seen.unfinished;
  // 2. Warps in a long stall leave the set.
  for (const warp_slot leaving : warps_in(active_ & seen.parked)) outside_[waiting_++] = leaving;
  active_ &= ~seen.parked;
  // 3. Free places are filled.
  auto free = static_cast<int>(places_) - __builtin_popcountll(active_);
  if (free <= 0 || waiting_ == 0) return;
  warp_mask entering = 0;
  for (unsigned i = 0; i < waiting_ && free > 0; ++i) {
    const warp_mask bit = warp_bit(outside_[i]);
    if ((seen.parked & bit) != 0) continue;
    entering |= bit;
    --free;
  }
  if (entering == 0) return;
  remove(entering);
  active_ |= entering;
}

}  // namespace

std::unique_ptr<scheduler> make_two_level(const config::sm_config& parameters) {
  return std::make_unique<two_level_scheduler>(parameters.scheduler.two_level_active_warps);
}

}  // namespace gt200::model
