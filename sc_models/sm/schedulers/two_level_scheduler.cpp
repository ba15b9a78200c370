#include "sc_models/sm/schedulers/two_level_scheduler.h"

#include <algorithm>

#include "sc_models/sm/schedulers/round_robin_schedulers.h"
#include "toolchain/bits.h"

namespace gt200::model {

unsigned two_level_scheduler::pick(warp_mask candidates) const {
  const warp_mask inside = candidates & active_;
  return first_from(next_, inside != 0 ? inside : candidates);
}

// Takes warps out of the set and out of the queue.
void two_level_scheduler::remove(warp_mask warps) {
  active_ &= ~warps;
  const auto begin = outside_.begin();
  const auto left =
      std::remove_if(begin, begin + waiting_, [&](std::uint8_t warp) { return (warps & warp_bit(warp)) != 0; });
  waiting_ = static_cast<unsigned>(left - begin);
}

void two_level_scheduler::started(unsigned warp) {
  remove(warp_bit(warp));
  outside_[waiting_++] = static_cast<std::uint8_t>(warp);
}

void two_level_scheduler::observe(const warp_observation& seen) {
  // 1. Warps that have ended are gone.
  if (const warp_mask ended = unfinished_ & ~seen.unfinished; ended != 0) remove(ended);
  unfinished_ = seen.unfinished;
  // 2. Those that wait for long go outside.
  for (const unsigned leaving : set_bits(active_ & seen.parked))
    outside_[waiting_++] = static_cast<std::uint8_t>(leaving);
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

}  // namespace gt200::model
