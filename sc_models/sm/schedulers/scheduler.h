// The order in which issue and fetch pick warps.
//
// A policy gets the mask of candidate warps and is told which one was chosen; it maintains its own order. Repeated
// picks from the remaining warps give its priority queue; coordinated_order.h merges these queues. Plain C++: the
// stage that owns it passes the time. policies.def lists the policies.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

#include "sc_models/config/sm_config.h"
#include "sc_models/sm/stage_tokens.h"
#include "tlm_bus/signals.h"

namespace gt200::model {

// What a policy can know about the warps besides the candidates, as of the last clock edge.
struct warp_observation {
  warp_mask unfinished = 0;  // resident, with lanes that have not exited
  warp_mask parked = 0;      // in a long stall: for global memory or texture, or at a barrier
  warp_mask awaited = 0;     // not at a barrier, but blocking other warps of their block that wait there
  std::array<warp_mask, max_collector_classes> of_class{};  // by the oldest buffered instruction

  friend bool operator==(const warp_observation& a, const warp_observation& b) {
    return a.unfinished == b.unfinished && a.parked == b.parked && a.awaited == b.awaited &&
           a.of_class == b.of_class;
  }
  friend bool operator!=(const warp_observation& a, const warp_observation& b) { return !(a == b); }
};

class scheduler {
 public:
  virtual ~scheduler() = default;
  // The warp to issue, out of `candidates` (not 0). Does not change state.
  virtual warp_slot pick(warp_mask candidates) const = 0;
  virtual void picked(warp_slot warp) = 0;
  // A new warp occupies the slot. Its age counts from now on, ties by slot number.
  virtual void started(warp_slot warp) = 0;
  // True for policies that need more than the candidates. They get the observation before every pick, and whenever
  // it changes. An unchanged observation has no effect.
  virtual bool observes() const { return false; }
  virtual void observe(const warp_observation&) {}
  // Shows the RTL inside, if any.
  virtual void publish_rtl(tlm_bus::signal_writer&) const {}
};

// `policy`: a name from policies.def. `parameters` has the parameters of some policies and must outlive the
// scheduler.
std::unique_ptr<scheduler> make_scheduler(std::string_view policy, const config::sm_config& parameters);

}  // namespace gt200::model
