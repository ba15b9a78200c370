// Round robin weighted by warp type, instruction type and age: an outline of the hardware's policy.
//
// The ready warp with the largest sum of weights issues; ties are round robin. Warp type: whether other warps of
// its block wait for it at a barrier (the hardware distinguishes vertex, pixel and compute warps, but here all are
// compute). Instruction type: the class of its collector. Age: the number of instructions this scheduler has issued
// since the warp's last one, up to a limit, times a weight; so no warp starves if this weight is above 0. Sources:
// Lindholm et al., IEEE Micro 2008 ("warp type, instruction type, and fairness"), Kanter. The weights are not
// public; they are parameters.
#include <algorithm>
#include <optional>
#include <vector>

#include "sc_models/sm/schedulers/policies.h"
#include "sc_models/sm/units/unit_list.h"
#include "toolchain/bits.h"

namespace gt200::model {
namespace {

class weighted_scheduler final : public scheduler {
 public:
  explicit weighted_scheduler(const config::sm_config& config);

  warp_slot pick(warp_mask candidates) const override;
  void picked(warp_slot warp) override;
  void started(warp_slot warp) override { last_[warp] = turns_; }
  bool observes() const override { return true; }
  void observe(const warp_observation& seen) override { seen_ = seen; }

 private:
  std::uint64_t weight_of(warp_slot warp) const;

  const config::weights_config& weights_;
  std::vector<std::uint32_t> of_class_;  // by collector class
  warp_observation seen_;
  per_warp<std::uint64_t> last_{};  // turn in which the warp last issued
  std::uint64_t turns_ = 0;
  warp_slot next_;
};

weighted_scheduler::weighted_scheduler(const config::sm_config& config) : weights_(config.scheduler.weights) {
  const unit_list units(config);
  for (const collector_descriptor& c : units.collectors()) of_class_.push_back(c.issue_weight);
}

std::uint64_t weighted_scheduler::weight_of(warp_slot warp) const {
  const warp_mask bit = warp_bit(warp);
  const std::uint64_t age = std::min<std::uint64_t>(turns_ - last_[warp], weights_.age_limit);
  std::uint64_t sum = age * weights_.age;
  if ((seen_.awaited & bit) != 0) sum += weights_.awaited;
  for (unsigned c = 0; c < of_class_.size(); ++c)
    if ((seen_.of_class[c] & bit) != 0) sum += of_class_[c];
  return sum;
}

warp_slot weighted_scheduler::pick(warp_mask candidates) const {
  std::optional<warp_slot> best;
  std::uint64_t weight = 0;
  const warp_mask late = warps_from(next_);
  for (const warp_mask part : {candidates & late, candidates & ~late}) {
    for (const warp_slot warp : warps_in(part)) {
      const std::uint64_t its = weight_of(warp);
      if (best && its <= weight) continue;
      best = warp;
      weight = its;
    }
  }
  return *best;
}

void weighted_scheduler::picked(warp_slot warp) {
  last_[warp] = ++turns_;
  next_ = warp_after(warp);
}

}  // namespace

std::unique_ptr<scheduler> make_weighted(const config::sm_config& parameters) {
  return std::make_unique<weighted_scheduler>(parameters);
}

}  // namespace gt200::model
