// Coon's scoreboard that takes entries at issue, as RTL in place of the SystemC model: the RTL decides
// dependencies, allocation, room and release. The model keeps only what hardware does not have: the cause for which
// a warp waits, by entry.
#pragma once

#include <vector>

#include "sc_models/sm/cosimulation/rtl_scoreboard_at_issue.h"
#include "sc_models/sm/dependency/coon_tracker.h"

namespace gt200::model {

class rtl_at_issue final : public dependency_tracker {
 public:
  rtl_at_issue(const tlm_bus::clock_domain& domain, const config::sm_config& config);
  // The same with a given RTL instance.
  rtl_at_issue(const tlm_bus::clock_domain& domain, const config::sm_config& config, rtl_scoreboard_at_issue rtl);

  lookup enter(warp_slot warp, const isa::instruction& instruction) override;
  std::uint64_t issue(warp_slot warp, dependency_vectors& buffer) override;
  void complete(warp_slot warp, const isa::instruction& instruction, std::uint64_t entries,
                dependency_vectors& buffer) override;
  bool full(warp_slot warp) const override { return rtl_.full_next(warp); }
  std::uint64_t probes_until(core_cycle) const override { return lookups_; }
  stall_cause cause_of(warp_slot warp, scoreboard_entry dependency) const override;
  tracking_cost cost() const override { return cost_; }
  void publish(warp_slot warp, tlm_bus::signal_writer& to) const override {
    to.mask("pending", entries_, pending_[warp.index()]);
  }
  void publish_rtl(tlm_bus::signal_writer& to) const override { rtl_.publish(to); }

 private:
  rtl_scoreboard_at_issue rtl_;
  unsigned entries_;
  std::vector<stall_cause> causes_;     // warps x entries_
  std::vector<std::uint64_t> pending_;  // by warp: entries taken and not yet released
  std::uint64_t lookups_ = 0;
  tracking_cost cost_;
};

// A vector of the buffer with the answer of the RTL: new bits, and room.
constexpr std::uint64_t vector_with(std::uint64_t vector, std::uint64_t found, bool room) {
  constexpr std::uint64_t bit = entry_bit(coon_tracker::room_bit);
  return (vector & ~bit) | found | (room ? 0 : bit);
}

}  // namespace gt200::model
