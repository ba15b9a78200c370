// Controls the blocks of an SM: starts their warps, detects their end, and reports them as retired.
//
// A block gets a slot, registers, shared memory (with header and parameters) and consecutive warp slots; one of its
// warps starts per core cycle. It retires when all its lanes have exited and its last instruction, stores included,
// has been written back. A store of which store_sent() was told does not hold it: the block then retires, and keeps
// its slots until the last of them is acknowledged. A second token tells that, and a new block waits for it. This
// module keeps the first fault of a simulated program, which ends the launch. Sources: launch ABI:
// toolchain/launch/abi.h; allocation: CUDA guide 4.2 (the work distributor applies the granules).
#pragma once

#include <optional>
#include <vector>

#include "sc_models/cluster_tokens.h"
#include "sc_models/config/sm_config.h"
#include "sc_models/sm/clocked_stage.h"
#include "sc_models/sm/divergence/warp_former_if.h"
#include "sc_models/sm/fault_record.h"
#include "sc_models/sm/interfaces.h"
#include "sc_models/sm/operands/register_transactions.h"
#include "sc_models/sm/operands/section_pool_if.h"
#include "sc_models/sm/sm_contents.h"
#include "sc_models/sm/stage_tokens.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/port.h"
#include "tlm_bus/registered_signal.h"
#include "tlm_bus/signals.h"
#include "tlm_bus/transaction.h"

namespace gt200::model {

class block_control final : public core_stage,
                            public tlm_bus::signal_source,
                            public block_control_if,
                            public sent_stores_if,
                            public block_control_state_if,
                            public formed_slots_if {
 public:
  tlm_bus::pipe_in<launch_token> launch;   // from the TPC
  tlm_bus::pipe_out<retire_token> retire;  // to the TPC
  tlm_bus::pipe_out<start_token> start;    // to fetch

  tlm_bus::transaction_out<register_allocation> registers;
  tlm_bus::transaction_out<register_write_request> register_values;
  tlm_bus::port<shared_memory_start_if> shared_memory;
  tlm_bus::port<simt_stack_start_if> simt_stack;

  tlm_bus::counter blocks_started{"blocks_started", "blocks", "blocks that began"};
  tlm_bus::counter blocks_retired{"blocks_retired", "blocks", "blocks that ended"};
  tlm_bus::counter warps_started{"warps_started", "warps", "warps that began"};

  block_control(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const config::sm_config& config,
                const arch_state::generation_values& generation, unsigned sm_in_tpc);

  // Before the first launch: warps share registers over time.
  void share_registers(section_pool_if& pool) { sections_ = &pool; }
  // The same: warps are formed anew.
  void form_warps(warp_former_if& former) { former_ = &former; }

  void tick() override;
  void publish(tlm_bus::signal_writer& to) override;
  tlm_bus::part_tap* parts() override { return &parts_; }

  // -- called by issue, branch, write_back and stack_memory --
  void describe(warp_slot warp, warp_instruction& operation) const override;
  void instruction_issued(warp_slot warp, isa::unit_class unit) override {
    ++warps_[warp].in_flight;
    ++warps_[warp].under_way[static_cast<std::size_t>(unit)];
  }
  void store_sent(warp_instruction& operation) override;
  void instruction_done(const warp_instruction& operation) override {
    warp_state& warp = warps_[operation.warp];
    if (operation.posted) --warp.posted;
    --warp.in_flight;
    --warp.under_way[static_cast<std::size_t>(operation.instruction->unit)];
    warp.last_done = cycle();
    if (warp.finished) settle_warp(operation.warp);
  }
  void warp_finished(warp_slot warp) override;
  void faulted(const warp_instruction& operation) override;
  // -- called by issue and the barrier --
  const warp_signal& resident() const override { return resident_; }
  const warp_signal& unfinished() const override { return unfinished_; }
  const tlm_bus::registered_signal<per_warp<stall_cause>>& awaited_at_exit() const override {
    return awaited_at_exit_;
  }
  unsigned unfinished_warps(block_slot block) override;
  block_slot block_slot_of(warp_slot warp) const override { return warps_[warp].block; }
  bool is_alone(warp_slot warp) override;

  // -- called by the warp former --
  void occupied(warp_slot slot, bool has_warp) override;

  // For observers.
  unsigned resident_blocks() const;
  // The first fault of this SM; kind none if there is none.
  const fault_record& fault() const { return fault_; }
  block_slot_state state_at(block_slot block) const;

  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "block_control"; }

 private:
  struct warp_state {
    block_slot block;
    std::uint8_t warp_in_block = 0;
    std::uint32_t in_flight = 0;
    std::uint32_t posted = 0;  // of these
    core_cycle last_done;      // when its last instruction was written back
    bool finished = false;
    bool sent = false;                                         // and nothing but posted stores is under way
    bool drained = false;                                      // and its last instruction has been written back
    std::array<std::uint16_t, isa::unit_classes> under_way{};  // its instructions in flight
  };
  struct block_state {
    bool busy = false;
    // The last warp was sent, and drained; it retires after the first of these cycles and frees its slots after the
    // second one.
    core_cycle sent_at = core_cycle::never();
    core_cycle drained_at = core_cycle::never();
    bool retired = false;
    const grid_descriptor* grid = nullptr;
    std::uint32_t block_id = 0;
    arch_state::block_place place;
    warp_mask warps = 0;
    unsigned to_start = 0;  // warps not started yet
    unsigned unsent = 0;
    unsigned undrained = 0;
  };
  void begin(const launch_token& token);
  // False while it has to wait for the slots of a block whose stores are under way.
  bool has_room(const launch_token& token) const;
  void retire_ended();
  void start_next_warp();
  void write_register(warp_slot warp, unsigned index, const isa::lane_words& values);
  block_state& state_of(block_slot block) { return blocks_[block.index()]; }
  const block_state& state_of(block_slot block) const { return blocks_[block.index()]; }
  void settle_warp(warp_slot warp);
  static stall_cause awaited_by(const warp_state& warp);

  const config::sm_config& config_;
  const arch_state::generation_values& generation_;
  section_pool_if* sections_ = nullptr;
  warp_former_if* former_ = nullptr;
  std::uint8_t sm_;
  std::vector<block_state> blocks_;  // by slot
  per_warp<warp_state> warps_{};
  warp_mask free_warps_;
  std::optional<block_slot> starting_;  // whose warps are being started
  unsigned next_warp_ = 0;              // in that block
  warp_signal resident_;
  warp_signal unfinished_;
  tlm_bus::registered_signal<per_warp<stall_cause>> awaited_at_exit_;
  tlm_bus::registered<warp_mask> finished_;  // of the warps of resident blocks
  tlm_bus::part_tap parts_;
  fault_record fault_;
  core_cycle fault_at_;
  bool fault_reported_ = false;
};

// -- what happens at every instruction --

inline void block_control::describe(warp_slot warp, warp_instruction& operation) const {
  const warp_state& w = warps_[warp];
  const block_state& b = state_of(w.block);
  operation.grid = b.grid;
  operation.place = &b.place;
  operation.block_id = b.block_id;
  operation.block_slot = w.block;
  operation.posted = false;
  operation.warp_in_block = w.warp_in_block;
}

}  // namespace gt200::model
