// Implements the probe of Tesla's SM: collects the values from its modules.
#pragma once

#include "sc_models/sm/sm_probe.h"

namespace gt200::model {

class tesla_sm;

class tesla_sm_probe final : public sm_probe {
 public:
  explicit tesla_sm_probe(tesla_sm& sm) : sm_(sm) {}

  unsigned schedulers() const override;
  slot_counts slots_until(unsigned scheduler, core_cycle until) const override;
  slot_profile profile_until(core_cycle until) const override;
  std::uint64_t resident_warp_cycles_until(core_cycle until) const override;
  std::uint64_t miss_starved_warp_cycles_until(core_cycle until) const override;
  std::uint64_t dependency_probes_until(core_cycle until) const override;
  tracking_cost dependency_hardware() const override;

  std::uint64_t instructions_issued() const override;
  std::uint64_t instructions_completed() const override;
  std::uint64_t blocks_retired() const override;
  std::uint64_t memory_operations_sent() const override;

  const fault_record& fault() const override;
  unsigned resident_blocks() const override;
  warp_mask resident_warps() const override;
  warp_status status_of(warp_slot warp) const override;
  std::vector<const warp_instruction*> in_flight() const override;
  std::string unit_of(const warp_instruction& operation) const override;
  const sc_core::sc_object& icache_of(warp_slot warp) const override;
  const sc_core::sc_object& register_file_of(warp_slot warp) const override;
  const sc_core::sc_object& dependencies_of(warp_slot warp) const override;
  const arch_state::register_rows& registers_of(warp_slot warp) const override;
  const std::uint8_t* shared_bytes_of(block_slot block) const override;
  unsigned shared_size_of(block_slot block) const override;
  sm_sizes sizes() const override;
  const arch_state::divergence& divergence_of(warp_slot warp) const override;
  unsigned buffered_of(warp_slot warp) const override;
  const buffered_instruction& buffered_at(warp_slot warp, unsigned position) const override;
  block_slot_state slot_state_of(block_slot block) const override;

  std::vector<issue_tap*> issue_taps() override;
  std::vector<module_tap<instruction_buffer_observer>> instruction_buffer_taps() override;
  module_tap<scoreboard_observer> scoreboard_tap() override;
  module_tap<arbitration_observer> arbitration_tap(unsigned scheduler) override;
  module_tap<shared_memory_observer> shared_memory_tap() override;
  std::vector<module_tap<write_back_observer>> write_back_taps() override;
  tlm_bus::tap<section_observer>* section_tap() override;
  std::vector<lockstep_comparison*> lockstep_comparisons() override;

 private:
  warp_status::fetch_state fetch_state_of(warp_slot warp) const;
  std::optional<warp_status::formation_wait> forming_of(warp_slot warp, block_slot block) const;
  std::optional<std::vector<warp_status::home_warp>> homes_of(warp_slot warp) const;
  std::optional<warp_status::barrier_wait> barrier_of(warp_slot warp, block_slot block) const;

  tesla_sm& sm_;
};

}  // namespace gt200::model
