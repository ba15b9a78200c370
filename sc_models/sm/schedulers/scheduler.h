// The order in which issue and fetch pick warps.
//
// A policy gets the mask of candidate warps and is told which one was chosen; it maintains its own order. Repeated
// picks from the remaining warps give its priority queue; coordinated_order.h merges these queues. Plain C++: the
// stage that owns it passes the time. policies.def lists the policies.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "sc_models/config/sm_config.h"
#include "sc_models/sm/stage_tokens.h"
#include "tlm_bus/signals.h"

namespace gt200::model {

// The oldest buffered instruction of a warp.
struct observed_instruction {
  isa::code_address pc = 0;
  isa::unit_class unit = isa::unit_class::none;
  bool accesses_memory = false;  // global, local or texture memory
  bool present = false;          // false: the warp has none buffered, and the others say nothing

  friend bool operator==(const observed_instruction& a, const observed_instruction& b) {
    return a.pc == b.pc && a.unit == b.unit && a.accesses_memory == b.accesses_memory && a.present == b.present;
  }
};

// What a policy can know about the warps besides the candidates, as of the last clock edge.
struct warp_observation {
  warp_mask unfinished = 0;  // resident, with lanes that have not exited
  warp_mask parked = 0;      // in a long stall: for global memory or texture, or at a barrier
  warp_mask awaited = 0;     // not at a barrier, but blocking other warps of their block that wait there
  std::array<warp_mask, max_collector_classes> of_class{};  // by the oldest buffered instruction
  std::vector<observed_instruction> oldest;                 // by slot; empty unless a policy observes instructions

  friend bool operator==(const warp_observation& a, const warp_observation& b) {
    return a.unfinished == b.unfinished && a.parked == b.parked && a.awaited == b.awaited &&
           a.of_class == b.of_class && a.oldest == b.oldest;
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
  // The same, and the observation has the oldest instruction of each warp.
  virtual bool observes_instructions() const { return false; }
  virtual void observe(const warp_observation&) {}
  // Shows the RTL inside, if any.
  virtual void publish_rtl(tlm_bus::signal_writer&) const {}
};

// `policy`: a name from policies.def, or of an added policy. `parameters` has the parameters of some policies and
// must outlive the scheduler.
std::unique_ptr<scheduler> make_scheduler(std::string_view policy, const config::sm_config& parameters);
// The same for a module: what config::chosen_at() says for its name, else `configured`.
std::unique_ptr<scheduler> make_scheduler_at(const char* module, std::string_view configured,
                                             const config::sm_config& parameters);

// What an added policy is made with; all of it outlives the policy.
struct issue_policy_context {
  const config::sm_config& sm;
  const config::policy_values& keys;  // its own, of tpc.sm.scheduler.<name>
};
// Orders of warps from outside (sc_models/plugin.h), for issue and fetch.
struct issue_policies {
  using factory = std::function<std::unique_ptr<scheduler>(const issue_policy_context&)>;
  static void add(config::added_policy about, factory make);
};

}  // namespace gt200::model
