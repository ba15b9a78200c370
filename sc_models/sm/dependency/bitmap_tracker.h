// Register bitmap: one bit per register of every warp, set from issue to write-back.
//
// This is the classic mechanism, whose cost Coon's scoreboard avoids. In every cycle, every warp with a buffered
// instruction is checked, so each needs a read port per source and destination: 64 warps of 128 registers take 8192
// bits and 256 ports. `probes_per_cycle` limits the number of warps that are checked per cycle, and thus the ports;
// a probe_window rotates. If only a warp outside the window was ready, the lost issue slot is charged to the cause
// not_probed. The mechanism is never full.
//
// An instruction may issue if no register that it reads or writes is pending. Its dependency bits are the stall
// causes of the pending registers. They are recomputed when an older instruction issues or completes, not in every
// cycle; the probes are counted as hardware would make them. Source: the comparison in Coon et al., US 7,434,032,
// and in the GPGPU architectures book, section 3.2.
#pragma once

#include <string>
#include <vector>

#include "sc_models/config/sm_config.h"
#include "sc_models/sm/dependency/dependency_tracker.h"
#include "sc_models/sm/dependency/probe_window.h"
#include "toolchain/arch_state/generation.h"

namespace gt200::model {

class bitmap_tracker final : public dependency_tracker {
 public:
  bitmap_tracker(const config::sm_config& config, const arch_state::generation_values& generation);

  lookup enter(warp_slot warp, const isa::instruction& instruction) override;
  std::uint64_t issue(warp_slot warp, dependency_vectors& buffer) override;
  void complete(warp_slot warp, const isa::instruction& instruction, std::uint64_t entries,
                dependency_vectors& buffer) override;
  warp_mask probed(warp_mask occupied, core_cycle cycle) override { return window_.at(cycle, occupied); }
  std::uint64_t probes_until(core_cycle until) const override { return window_.probes_until(until); }
  stall_cause cause_of(warp_slot, scoreboard_entry dependency) const override {
    return known_cause(static_cast<stall_cause>(dependency.index()));
  }
  void publish(warp_slot warp, tlm_bus::signal_writer& to) const override;
  tracking_cost cost() const override { return cost_; }

  // A bit per register, as numbered below.
  unsigned bits() const override { return registers_; }
  bool bit(warp_slot warp, unsigned bit) const override { return is_pending(warp, bit); }
  void flip(warp_slot warp, unsigned bit) override { word_of(warp, bit) ^= std::uint64_t{1} << bit % 64; }
  std::string text_of_bit(warp_slot warp, unsigned bit) const override {
    return "warp " + std::to_string(warp.index()) + " register " + std::to_string(bit) + " pending";
  }
  bool occupied(warp_slot warp, unsigned bit) const override { return is_pending(warp, bit); }

 private:
  unsigned number_of(const isa::register_range& range) const;
  std::uint64_t& word_of(warp_slot warp, unsigned number) { return pending_[warp.index() * words_ + number / 64]; }
  bool is_pending(warp_slot warp, unsigned number) const {
    return (pending_[warp.index() * words_ + number / 64] >> number % 64 & 1) != 0;
  }
  void look_up(warp_slot warp, const isa::register_range& range, std::uint64_t& dependencies) const;
  std::uint64_t dependencies_of(warp_slot warp, const isa::instruction& instruction) const;

  // Numbers of registers: the general ones; from the next whole word on predicates, then address registers.
  unsigned first_predicate_;
  unsigned first_address_;
  unsigned registers_;                   // one more than the highest number
  unsigned words_;                       // of 64 registers, per warp
  std::vector<std::uint64_t> pending_;   // warps x words_
  std::vector<stall_cause> cause_;       // warps x registers_: of whoever waits for a pending register
  std::vector<std::string> word_names_;  // of the words with general registers, in waves
  probe_window window_;
  tracking_cost cost_;
};

}  // namespace gt200::model
