#include "sc_models/sm/schedulers/weighted_scheduler.h"

#include <algorithm>

#include "toolchain/bits.h"

namespace gt200::model {

weighted_scheduler::weighted_scheduler(const config::weights_config& weights)
    : weights_(weights), of_class_{weights.sp,     weights.sfu,    weights.dp,
                                   weights.shared, weights.memory, weights.control} {}

std::uint64_t weighted_scheduler::weight_of(unsigned warp) const {
  const warp_mask bit = warp_bit(warp);
  const std::uint64_t age = std::min<std::uint64_t>(turns_ - last_[warp], weights_.age_limit);
  std::uint64_t sum = age * weights_.age;
  if ((seen_.awaited & bit) != 0) sum += weights_.awaited;
  for (unsigned c = 0; c < collector_classes; ++c)
    if ((seen_.of_class[c] & bit) != 0) sum += of_class_[c];
  return sum;
}

unsigned weighted_scheduler::pick(warp_mask candidates) const {
  unsigned best = max_warps;
  std::uint64_t weight = 0;
  const warp_mask late = ~warp_mask{0} << next_;
  for (const warp_mask part : {candidates & late, candidates & ~late}) {
    for (const unsigned warp : set_bits(part)) {
      const std::uint64_t its = weight_of(warp);
      if (best != max_warps && its <= weight) continue;
      best = warp;
      weight = its;
    }
  }
  return best;
}

void weighted_scheduler::picked(unsigned warp) {
  last_[warp] = ++turns_;
  next_ = (warp + 1) % max_warps;
}

}  // namespace gt200::model
