// Divergence state of every warp: its active lanes, and the further state of the generation.
//
// This module holds one arch_state::divergence per warp. The generation derives a class from it that applies the
// rules. On Tesla that class is arch_state::tesla::simt_stack. It pushes and pops one of two stacks: token_stack,
// with typed tokens, or pdom_stack, with reconvergence PCs (both in toolchain/arch_state/tesla/).
//
// Issue reads the active mask; the branch unit changes it. While a control instruction is pending, its warp has no
// younger instruction in the buffer, because decode has stopped its fetch. So the mask cannot change for an
// instruction that is being issued.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "sc_models/config/sm_config.h"
#include "sc_models/sm/interfaces.h"
#include "tlm_bus/injectable.h"
#include "tlm_bus/resettable.h"
#include "tlm_bus/signals.h"
#include "toolchain/arch_state/generation.h"

namespace gt200::model {

class simt_stack final : public sc_core::sc_module,
                         public tlm_bus::signal_source,
                         public simt_stack_issue_if,
                         public simt_stack_branch_if,
                         public simt_stack_barrier_if,
                         public simt_stack_paths_if,
                         public simt_stack_start_if,
                         public tlm_bus::injectable,
                         public tlm_bus::resettable {
 public:
  simt_stack(const sc_core::sc_module_name& name, const config::sm_config& config,
             const arch_state::generation& generation);

  isa::lane_mask active_mask(warp_slot warp) const override { return active_[warp.index()]; }
  arch_state::control_result enter(warp_slot warp, isa::code_address pc,
                                   const isa::instruction& instruction) override;
  arch_state::control_result execute(warp_slot warp, isa::code_address pc, const isa::instruction& instruction,
                                     isa::lane_mask selected) override;
  arch_state::control_result execute_indirect(warp_slot warp, isa::code_address pc,
                                              const isa::instruction& instruction, isa::lane_mask selected,
                                              const isa::lane_words& targets) override;
  void move_state(warp_slot warp, const isa::instruction& instruction, isa::lane_bundle& values,
                  isa::lane_mask selected) override;
  arch_state::control_result arrive(warp_slot warp, isa::code_address pc, const isa::instruction& instruction,
                                    bool waits) override;
  arch_state::control_result release(warp_slot warp, unsigned barrier, isa::lane_mask lanes) override;
  bool converged(warp_slot warp) const override { return warps_[warp.index()]->converged(); }
  void start(warp_slot warp, isa::code_address pc, isa::lane_mask lanes) override {
    warps_[warp.index()]->start(pc, lanes);
    moved(warp);
  }
  const arch_state::divergence& state(warp_slot warp) const override { return *warps_[warp.index()]; }

  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "simt_stack"; }
  void publish(tlm_bus::signal_writer& to) override;
  tlm_bus::part_tap* parts() override { return &parts_; }

  // By warp: its active lanes, then the places for entries on the chip, each with its words.
  const char* structure() const override { return "simt_stack"; }
  std::uint64_t bits() const override { return warps_.size() * bits_of_warp(); }
  bool bit(std::uint64_t bit) const override;
  void flip(std::uint64_t bit) override;
  std::string text_of_bit(std::uint64_t bit) const override;
  void add_occupied(std::vector<tlm_bus::bit_range>& to) const override;
  // Whose warps are in use; without it all are.
  void follow(const block_control_state_if& blocks) { blocks_ = &blocks; }

 private:
  struct place {
    warp_slot warp;
    bool is_active_mask;
    unsigned on_chip;  // place of the entry
    unsigned word;
    unsigned bit;
  };
  unsigned bits_of_entry() const;
  std::uint64_t bits_of_warp() const;
  place place_of(std::uint64_t bit) const;
  unsigned entry_at(const place& at) const;
  // The state of the warp may have changed.
  void moved(warp_slot warp) {
    active_[warp.index()] = warps_[warp.index()]->active_mask();
    parts_.moved(warp.index());
  }

  std::array<isa::lane_mask, max_warps> active_{};  // of every warp, together: issue reads one per instruction
  std::vector<std::unique_ptr<arch_state::divergence>> warps_;
  tlm_bus::part_tap parts_;
  const block_control_state_if* blocks_ = nullptr;
  tlm_bus::idle_bits idle_;  // places on the chip that no entry can have
  const arch_state::generation& generation_;
};

}  // namespace gt200::model
