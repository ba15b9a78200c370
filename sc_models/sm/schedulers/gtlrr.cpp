// Greedy then loose round robin: stays with a warp until it cannot issue, then lrr. Source: the name follows gto
// and gty.
#include "sc_models/sm/schedulers/policies.h"
#include "sc_models/sm/schedulers/round_robin.h"

namespace gt200::model {
namespace {

class greedy_round_robin final : public scheduler {
 public:
  warp_slot pick(warp_mask candidates) const override {
    return first_from(next_, (candidates & current_) != 0 ? current_ : candidates);
  }
  void picked(warp_slot warp) override {
    current_ = warp_bit(warp);
    next_ = warp_after(warp);
  }
  void started(warp_slot warp) override { current_ &= ~warp_bit(warp); }

 private:
  warp_mask current_ = 0;  // the warp chosen last, while it occupies its slot
  warp_slot next_;
};

}  // namespace

std::unique_ptr<scheduler> make_gtlrr(const config::sm_config&) { return std::make_unique<greedy_round_robin>(); }

}  // namespace gt200::model
