// Fakes for the neighbours of the front end's modules; tests set their answers.
#pragma once

#include "sc_models/config/load.h"
#include "sc_models/sm/interfaces.h"
#include "tlm_bus/registered_signal.h"

namespace gt200::model::testing {

inline config::sm_config sm_config_with(const std::vector<std::string>& overrides) {
  return config::load(std::string(GT200_SOURCE_DIR) + "/configs/gt200.toml", overrides).values.tpc.sm;
}

// Blocks of 8 warps each: slots 0-7 are block 0, and so on.
class fake_blocks : public sc_core::sc_module, public block_control_if, public block_control_state_if {
 public:
  fake_blocks(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain)
      : sc_core::sc_module(name), domain_(domain) {}

  // The warp begins: visible in the next cycle.
  void start(warp_slot warp) { resident_.change(domain_) |= warp_bit(warp); }

  void describe(warp_slot, warp_instruction&) const override {}
  void instruction_issued(warp_slot, isa::unit_class) override {}
  void instruction_done(const warp_instruction&) override {}
  void warp_finished(warp_slot) override {}
  void faulted(const warp_instruction&) override {}
  const warp_signal& resident() const override { return resident_; }
  const warp_signal& unfinished() const override { return resident_; }
  const tlm_bus::registered_signal<per_warp<stall_cause>>& awaited_at_exit() const override { return awaited_; }
  unsigned unfinished_warps(block_slot) override { return 0; }
  block_slot block_slot_of(warp_slot warp) const override { return block_slot(warp.index() / 8); }
  bool is_alone(warp_slot) override { return false; }

 private:
  tlm_bus::clock_domain& domain_;
  warp_signal resident_;
  tlm_bus::registered_signal<per_warp<stall_cause>> awaited_;
};

// Never diverges, never misses.
class fake_sm : public sc_core::sc_module, public simt_stack_issue_if, public icache_cause_if {
 public:
  explicit fake_sm(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {}
  isa::lane_mask active_mask(warp_slot) const override { return ~isa::lane_mask{0}; }
  const warp_signal& missing() const override { return nobody_; }

 private:
  warp_signal nobody_;
};

}  // namespace gt200::model::testing
