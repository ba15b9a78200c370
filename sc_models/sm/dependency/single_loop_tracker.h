// Single loop: a warp issues again only after the write-back of its last instruction.
//
// What a front end sees that has one loop over the warps and knows of no registers: a bit per warp says whether an
// instruction of it is under way, stores and control instructions included. Fetch still runs ahead into the
// instruction buffer, so the time from fetch to decode is hidden; the figures are a bound from above for a front
// end that fetches only after write-back. Source: the first approximation in the GPGPU architectures book,
// section 3.1.
#pragma once

#include <array>
#include <string>

#include "sc_models/config/sm_config.h"
#include "sc_models/sm/dependency/dependency_tracker.h"

namespace gt200::model {

class single_loop_tracker final : public dependency_tracker {
 public:
  explicit single_loop_tracker(const config::sm_config& config) { cost_.storage_bits = config.limits.warps; }

  lookup enter(warp_slot warp, const isa::instruction& instruction) override;
  std::uint64_t issue(warp_slot warp, dependency_vectors& buffer) override;
  void complete(warp_slot warp, const isa::instruction& instruction, std::uint64_t entries,
                dependency_vectors& buffer) override;
  // The scheduler reads the bit of the warp directly. This mechanism looks nothing up, so it counts no look-ups.
  std::uint64_t probes_until(core_cycle) const override { return 0; }
  stall_cause cause_of(warp_slot, scoreboard_entry dependency) const override {
    return known_cause(static_cast<stall_cause>(dependency.index()));
  }
  void publish(warp_slot warp, tlm_bus::signal_writer& to) const override;
  tracking_cost cost() const override { return cost_; }

  // "An instruction is under way."
  unsigned bits() const override { return 1; }
  bool bit(warp_slot warp, unsigned) const override { return under_way_[warp] != 0; }
  void flip(warp_slot warp, unsigned) override {
    under_way_[warp] = under_way_[warp] == 0 ? bit_of(stall_cause::dependency_control) : 0;
  }
  std::string text_of_bit(warp_slot warp, unsigned) const override {
    return "warp " + std::to_string(warp.index()) + " under way";
  }
  bool occupied(warp_slot warp, unsigned) const override { return under_way_[warp] != 0; }

 private:
  per_warp<std::uint64_t> under_way_{};  // the dependency of everything that is buffered
  tracking_cost cost_;
};

}  // namespace gt200::model
