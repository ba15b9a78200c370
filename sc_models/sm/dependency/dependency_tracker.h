// The interface of a dependency mechanism. The scoreboard holds one mechanism, chosen by the configuration.
//
// An instruction enters when it is put into the instruction buffer. It issues when it is the oldest of its warp and
// has no dependency left. It completes at write-back. Entering and issuing happen in program order of the warp.
// What a mechanism does at t is visible to issue strictly after t, and the calls of one cycle may come in any
// order: an instruction that enters at t depends on everything that issues at t, and on nothing that completes at
// t.
//
// Every mechanism relies on these orders of the SM:
// - WAR: operands are collected in issue order, so a younger instruction cannot write before older ones have read.
// - s[]: all accesses of a warp go through one collector class and one queue and are performed in program order, so
//   a load or an s[] operand sees the warp's older stores. The value of an s[] operand is not tracked, but its
//   address register is. A lock is answered in $c, which is tracked: an instruction that tests it waits for it.
// - Instructions after a control instruction do not enter before it is resolved, so no instruction with entries is
//   squashed.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "sc_models/config/sm_config.h"
#include "sc_models/sm/cycles.h"
#include "sc_models/sm/dependency/dependency_vectors.h"
#include "sc_models/sm/dependency/scoreboard_transactions.h"
#include "sc_models/sm/dependency/tracking_cost.h"
#include "sc_models/sm/interfaces.h"
#include "tlm_bus/signals.h"
#include "tlm_bus/time.h"

namespace gt200::model {

class dependency_tracker {
 public:
  using lookup = lookup_answer;

  virtual ~dependency_tracker() = default;

  virtual lookup enter(warp_slot warp, const isa::instruction& instruction) = 0;
  // The same in two steps: the look-up, and its answer some cycles later.
  virtual void ask(warp_slot warp, const isa::instruction& instruction) {
    answers_[warp] = enter(warp, instruction);
  }
  virtual lookup answered(warp_slot warp) { return answers_[warp]; }
  // The oldest buffered instruction of the warp issues. Returns the entries to release at write-back.
  virtual std::uint64_t issue(warp_slot warp, dependency_vectors& buffer) = 0;
  virtual void complete(warp_slot warp, const isa::instruction& instruction, std::uint64_t entries,
                        dependency_vectors& buffer) = 0;

  // True if no further destination of the warp can be tracked, as of the next edge.
  virtual bool full(warp_slot) const { return false; }
  // Among the warps with a buffered instruction: those whose dependencies are checked in this cycle.
  virtual warp_mask probed(warp_mask occupied, core_cycle) {
    static_cast<void>(occupied);
    return ~warp_mask{0};
  }
  // Number of look-ups before core cycle `until`.
  virtual std::uint64_t probes_until(core_cycle until) const = 0;
  virtual stall_cause cause_of(warp_slot warp, scoreboard_entry dependency) const = 0;
  virtual tracking_cost cost() const = 0;
  // Shows the state of the warp.
  virtual void publish(warp_slot warp, tlm_bus::signal_writer& to) const = 0;

  // -- its storage, for whoever damages it (tlm_bus/injectable.h); bits of one warp --
  // 0 if the mechanism cannot be damaged: RTL.
  virtual unsigned bits() const { return 0; }
  virtual bool bit(warp_slot, unsigned) const { return false; }
  virtual void flip(warp_slot, unsigned) {}
  virtual std::string text_of_bit(warp_slot, unsigned) const { return {}; }
  // Whether something uses the part of the storage to which the bit belongs.
  virtual bool occupied(warp_slot, unsigned) const { return false; }

  // Shows the RTL inside, if any.
  virtual void publish_rtl(tlm_bus::signal_writer&) const {}

 private:
  per_warp<lookup> answers_{};  // answers to look-ups that have not been fetched yet
};

// What a mechanism from outside is made with; all of it outlives the mechanism.
struct dependency_context {
  const tlm_bus::clock_domain& core;
  const config::sm_config& sm;
  const arch_state::generation_values& generation;
  const config::policy_values& keys;  // its own, of tpc.sm.scoreboard.<name>
};
// Mechanisms from outside (sc_models/plugin.h), where config::choose_at() says so: 'gt200.tpc_*.scoreboard=mine'.
struct dependency_trackers {
  using factory = std::function<std::unique_ptr<dependency_tracker>(const dependency_context&)>;
  static void add(config::added_policy about, factory make);
};

// Damaged storage may name a dependency that nobody has recorded a cause for.
constexpr stall_cause known_cause(stall_cause recorded) {
  return recorded == stall_cause::none ? stall_cause::dependency_control : recorded;
}

// The dependency bit of a stall cause. Some mechanisms use it: their dependency bits stand for stall causes instead
// of scoreboard entries.
constexpr std::uint64_t bit_of(stall_cause cause) { return std::uint64_t{1} << static_cast<unsigned>(cause); }

}  // namespace gt200::model
