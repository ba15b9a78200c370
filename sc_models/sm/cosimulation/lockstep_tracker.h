// Coon's scoreboard twice, as SystemC model and as RTL. Every answer is compared; the chip uses the model's
// answers.
//
// These are compared: whether an instruction enters, its dependency vector, the entries it takes, what a release
// clears, and whether the warp is full at the next edge. For the first difference the report shows the contents of
// both sides at the last edge before the answer. The ports of the comparison are those of look-ups, then those of
// releases.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sc_models/sm/cosimulation/compared_tracker.h"
#include "sc_models/sm/cosimulation/rtl_scoreboard.h"
#include "sc_models/sm/dependency/coon_tracker.h"

namespace gt200::model {

class lockstep_tracker final : public compared_tracker {
 public:
  lockstep_tracker(const tlm_bus::clock_domain& domain, const config::sm_config& config, unsigned sm_in_chip);
  // The same with a given RTL instance.
  lockstep_tracker(const tlm_bus::clock_domain& domain, const config::sm_config& config, unsigned sm_in_chip,
                   rtl_scoreboard rtl);

  lookup enter(warp_slot warp, const isa::instruction& instruction) override;
  void ask(warp_slot warp, const isa::instruction& instruction) override;
  lookup answered(warp_slot warp) override;
  std::uint64_t issue(warp_slot warp, dependency_vectors& buffer) override { return model_.issue(warp, buffer); }
  void complete(warp_slot warp, const isa::instruction& instruction, std::uint64_t entries,
                dependency_vectors& buffer) override;
  bool full(warp_slot warp) const override { return model_.full(warp); }
  std::uint64_t probes_until(core_cycle until) const override { return model_.probes_until(until); }
  stall_cause cause_of(warp_slot warp, scoreboard_entry dependency) const override {
    return model_.cause_of(warp, dependency);
  }
  tracking_cost cost() const override { return model_.cost(); }
  void publish(warp_slot warp, tlm_bus::signal_writer& to) const override { model_.publish(warp, to); }
  void publish_rtl(tlm_bus::signal_writer& to) const override { rtl_.publish(to); }

 private:
  struct answer {
    std::string what;  // one line
    bool full;
  };
  // A look-up, and the model's answer to it.
  struct asked {
    const isa::instruction* instruction = nullptr;
    isa::code_address pc = 0;
    lookup expected;
    bool full = false;  // after it, in the model
    bool rtl_full = false;
    unsigned port = 0;
  };
  // A new cycle uses ports from the first one on.
  void begin_cycle();
  // Of the instruction that took the entry.
  isa::code_address& pc_of(warp_slot warp, scoreboard_entry entry) {
    return pcs_[warp.index() * entries_ + entry.index()];
  }
  asked look_up(warp_slot warp, const isa::instruction& instruction);
  void compare(warp_slot warp, const asked& a, const rtl::scoreboard_pins::answer& got);
  void differs(warp_slot warp, isa::code_address pc, const isa::instruction& instruction, const char* question,
               const answer& model, const answer& rtl);

  coon_tracker model_;
  rtl_scoreboard rtl_;
  const tlm_bus::clock_domain& domain_;
  tlm_bus::cycle_t cycle_ = tlm_bus::no_cycle;
  unsigned entered_ = 0;  // in this cycle
  unsigned released_ = 0;
  unsigned entries_;
  per_warp<asked> asked_{};
  std::vector<isa::code_address> pcs_;  // warps x entries_
};

}  // namespace gt200::model
