// The order in which warps are picked, by issue and by fetch.
//
// A policy is asked with the mask of warps that could go and told what was chosen; it keeps its own order. Asked
// again and again for the rest, it yields its priority queue: coordinated_order.h merges those. Plain C++: the
// stage that owns it gives it time. The policies: policies.def.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

#include "sc_models/config/sm_config.h"
#include "sc_models/sm/stage_tokens.h"
#include "tlm_bus/signals.h"

namespace gt200::model {

// What a policy can know of the warps besides who could go, as of the last clock edge.
struct warp_observation {
  warp_mask unfinished = 0;  // resident, with lanes that have not exited
  warp_mask parked = 0;      // wait for long: for global memory or texture, or at a barrier
  warp_mask awaited = 0;     // warps of their block wait at a barrier, they do not
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
  // The warp to go, out of `candidates` (not 0). Does not change state.
  virtual warp_slot pick(warp_mask candidates) const = 0;
  virtual void picked(warp_slot warp) = 0;
  // A new warp occupies the slot: its age counts from here, ties by slot number.
  virtual void started(warp_slot warp) = 0;
  // Policies that look at more than the candidates are shown it before every pick, and whenever it changes; the
  // same observation again changes nothing.
  virtual bool observes() const { return false; }
  virtual void observe(const warp_observation&) {}
  // Of the RTL in it, if any.
  virtual void publish_rtl(tlm_bus::signal_writer&) const {}
};

// `policy`: a name of policies.def; `parameters` are those of the policies that have some, and must outlive it.
std::unique_ptr<scheduler> make_scheduler(std::string_view policy, const config::sm_config& parameters);

}  // namespace gt200::model
