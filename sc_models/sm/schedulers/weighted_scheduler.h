// Round robin weighted by warp type, instruction type and age: the hardware's own way, in outline.
//
// The ready warp with the largest sum of weights goes; equal ones go round robin. The warp's type here: whether
// other warps of its block wait for it at a barrier (the hardware tells vertex, pixel and compute warps apart, and
// here all are compute). The instruction's type: the class of its collector. Age: instructions this scheduler has
// let go since the warp's last one, up to a limit, each worth a weight - so with a weight above 0 no warp starves.
// Sources: Lindholm et al., IEEE Micro 2008 ("warp type, instruction type, and fairness"), Kanter; the weights are
// not public and are parameters.
#pragma once

#include <vector>

#include "sc_models/sm/schedulers/scheduler.h"

namespace gt200::model {

class weighted_scheduler final : public scheduler {
 public:
  explicit weighted_scheduler(const config::sm_config& config);

  unsigned pick(warp_mask candidates) const override;
  void picked(unsigned warp) override;
  void started(unsigned warp) override { last_[warp] = turns_; }
  bool observes() const override { return true; }
  void observe(const warp_observation& seen) override { seen_ = seen; }

 private:
  std::uint64_t weight_of(unsigned warp) const;

  const config::weights_config& weights_;
  std::vector<std::uint32_t> of_class_;  // by collector class
  warp_observation seen_;
  std::array<std::uint64_t, max_warps> last_{};  // turn in which the warp went
  std::uint64_t turns_ = 0;
  unsigned next_ = 0;
};

}  // namespace gt200::model
