// The order in which warps are picked, by issue and by fetch.
//
// A policy is asked with the mask of warps that could go and told what was chosen; it keeps its own order. Plain
// C++: the stage that owns it gives it time. Policies of architecture exploration (section "configurable") that are
// not available yet are refused by name when the SM is built.
#pragma once

#include <cstdint>
#include <memory>

#include "sc_models/config/sm_config.h"
#include "sc_models/tpc/sm/tokens.h"

namespace gt200::model {

class scheduler {
 public:
  virtual ~scheduler() = default;
  // The warp to go, out of `candidates` (not 0). Does not change state.
  virtual unsigned pick(warp_mask candidates) const = 0;
  virtual void picked(unsigned warp) = 0;
  // A new warp occupies the slot: age counts from here (then by slot number).
  virtual void started(unsigned warp) = 0;
};

// `place` is the configuration key, for the message when the policy is not available.
std::unique_ptr<scheduler> make_scheduler(config::warp_policy policy, unsigned warps, const char* place);

}  // namespace gt200::model
