// Coon's scoreboard that takes entries at issue, twice, as SystemC model and as RTL. Every answer is compared; the
// chip uses the model's answers.
//
// These are compared: the dependency vector of an instruction that enters, the entries that one takes which issues,
// the vectors of the younger ones in the buffer after that, what a release clears, for which buffered instructions
// there is room, and whether the warp is full at the next edge. For the first difference the report shows the
// contents of both sides at the last edge before the answer.
#pragma once

#include <string>
#include <vector>

#include "sc_models/sm/cosimulation/compared_tracker.h"
#include "sc_models/sm/cosimulation/rtl_scoreboard_at_issue.h"
#include "sc_models/sm/dependency/coon_tracker.h"

namespace gt200::model {

class lockstep_at_issue final : public compared_tracker {
 public:
  lockstep_at_issue(const tlm_bus::clock_domain& domain, const config::sm_config& config, unsigned sm_in_chip);
  // The same with a given RTL instance.
  lockstep_at_issue(const tlm_bus::clock_domain& domain, const config::sm_config& config, unsigned sm_in_chip,
                    rtl_scoreboard_at_issue rtl);

  lookup enter(warp_slot warp, const isa::instruction& instruction) override;
  std::uint64_t issue(warp_slot warp, dependency_vectors& buffer) override;
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
    std::uint64_t entries = 0;           // taken or cleared
    std::vector<std::uint64_t> vectors;  // of the instructions concerned
    bool full = false;
    bool operator==(const answer& o) const {
      return entries == o.entries && vectors == o.vectors && full == o.full;
    }
  };
  // The number of the next port of a kind in this cycle.
  unsigned next_port(unsigned& used, unsigned ports);
  std::vector<std::uint64_t> vectors_of(warp_slot warp, const dependency_vectors& buffer, unsigned from) const;
  void compare(warp_slot warp, isa::code_address pc, const isa::instruction& instruction, const char* question,
               const answer& model, const answer& rtl);

  coon_tracker model_;
  rtl_scoreboard_at_issue rtl_;
  const tlm_bus::clock_domain& domain_;
  unsigned entries_;
  unsigned releases_;  // ports
  tlm_bus::cycle_t cycle_ = tlm_bus::no_cycle;
  unsigned entered_ = 0;  // ports used in this cycle
  unsigned issued_ = 0;
  unsigned released_ = 0;
  std::vector<isa::code_address> pcs_;  // of the instructions that have taken entries: warps x entries_
};

}  // namespace gt200::model
