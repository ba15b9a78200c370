// Loose round robin: the warp after the one chosen last comes first, and the others follow in order; a warp that
// cannot issue is skipped. Source: the baseline of the literature (Narasiman et al., MICRO 2011, section 2;
// GPGPU-Sim 3.x manual).
#include "sc_models/sm/schedulers/policies.h"
#include "sc_models/sm/schedulers/round_robin.h"

namespace gt200::model {
namespace {

class loose_round_robin final : public scheduler {
 public:
  warp_slot pick(warp_mask candidates) const override { return first_from(next_, candidates); }
  void picked(warp_slot warp) override { next_ = warp_after(warp); }
  void started(warp_slot) override {}

 private:
  warp_slot next_;
};

}  // namespace

std::unique_ptr<scheduler> make_lrr(const config::sm_config&) { return std::make_unique<loose_round_robin>(); }

}  // namespace gt200::model
