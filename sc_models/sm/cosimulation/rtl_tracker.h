// Coon's scoreboard as RTL in place of the SystemC model: the RTL decides dependencies, allocation and release. The
// model keeps only what hardware does not have: the cause for which a warp waits, by entry.
#pragma once

#include <array>
#include <vector>

#include "sc_models/sm/cosimulation/rtl_scoreboard.h"
#include "sc_models/sm/dependency/coon_tracker.h"

namespace gt200::model {

class rtl_tracker final : public dependency_tracker {
 public:
  rtl_tracker(const tlm_bus::clock_domain& domain, const config::sm_config& config);
  // The same with a given RTL instance.
  rtl_tracker(const tlm_bus::clock_domain& domain, const config::sm_config& config, rtl_scoreboard rtl);

  lookup enter(warp_slot warp, const isa::instruction& instruction) override;
  void ask(warp_slot warp, const isa::instruction& instruction) override;
  lookup answered(warp_slot warp) override;
  std::uint64_t issue(warp_slot warp, dependency_vectors& buffer) override;
  void complete(warp_slot warp, const isa::instruction& instruction, std::uint64_t entries,
                dependency_vectors& buffer) override;
  bool full(warp_slot warp) const override { return rtl_.full_next(warp); }
  std::uint64_t probes_until(core_cycle) const override { return lookups_; }
  stall_cause cause_of(warp_slot warp, scoreboard_entry dependency) const override {
    return causes_[warp.index() * entries_ + dependency.index()];
  }
  tracking_cost cost() const override { return cost_; }
  void publish(warp_slot warp, tlm_bus::signal_writer& to) const override {
    to.mask("pending", entries_, pending_[warp.index()]);
  }
  void publish_rtl(tlm_bus::signal_writer& to) const override { rtl_.publish(to); }

 private:
  lookup settle(warp_slot warp, const isa::instruction& instruction, const rtl::scoreboard_pins::answer& answer);

  rtl_scoreboard rtl_;
  unsigned entries_;
  std::vector<stall_cause> causes_;     // warps x entries_
  std::vector<std::uint64_t> pending_;  // by warp: entries taken and not yet released
  per_warp<const isa::instruction*> asked_{};
  std::uint64_t lookups_ = 0;
  tracking_cost cost_;
};

}  // namespace gt200::model
