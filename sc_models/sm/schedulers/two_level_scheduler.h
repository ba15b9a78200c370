// Two-level scheduling: a small active set goes round robin, the others stand behind it.
//
// A warp leaves the set when it waits for global memory or texture, or at a barrier; its place is taken by the warp
// that has waited outside longest and does not wait for such a thing any more. So not all warps reach their memory
// accesses at the same time. Warps outside go only in slots that no warp of the set can use: no slot is lost, and a
// set full of warps that wait for one outside cannot lock. Sources: Narasiman et al., MICRO 2011; the set with
// promotion and demotion: Gebhart et al., ISCA 2011 (there, warps outside do not go at all).
#pragma once

#include "sc_models/sm/schedulers/scheduler.h"

namespace gt200::model {

class two_level_scheduler final : public scheduler {
 public:
  explicit two_level_scheduler(unsigned active_warps) : places_(active_warps) {}

  unsigned pick(warp_mask candidates) const override;
  void picked(unsigned warp) override { next_ = (warp + 1) % max_warps; }
  void started(unsigned warp) override;
  bool observes() const override { return true; }
  void observe(const warp_observation& seen) override;

 private:
  void remove(warp_mask warps);

  unsigned places_;
  warp_mask active_ = 0;
  std::array<std::uint8_t, max_warps> outside_{};  // in order of arrival
  unsigned waiting_ = 0;                           // of these
  warp_mask unfinished_ = 0;                       // as last seen
  unsigned next_ = 0;
};

}  // namespace gt200::model
