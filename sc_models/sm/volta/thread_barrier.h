// The barriers of an SM, as Volta counts them: threads, not warps.
//
// 16 barriers for each block slot. A path of a warp that arrives waits until all threads of the block that have not
// exited have arrived; other paths of its warp go on meanwhile. If the guard of the instruction holds for a part of
// the path, it cannot wait there (fault: divergent barrier). Here threads are counted; paths wait and go on in the
// branch units, which are told the lanes that a barrier releases. A thread that arrives without waiting and exits
// is not awaited, and counts for nobody else.
//
// A barrier opens when the accesses to memory that its threads issued before they arrived or exited have passed the
// memory arbiter: what is behind it comes later there. A reduction combines a predicate of all threads; a later
// instruction reads the result (B2R).
//
// One arrival of each processing block per cycle; the release follows base_cycles later. Who arrives again before
// that stands in the queue. Threads exit behind their arrivals. A block whose threads have all exited leaves its
// barriers empty.
#pragma once

#include <array>
#include <vector>

#include "sc_models/config/sm_config.h"
#include "sc_models/sm/clocked_stage.h"
#include "sc_models/sm/stage_tokens.h"
#include "sc_models/sm/volta/interfaces.h"
#include "sc_models/sm/volta/ring.h"
#include "sc_models/sm/volta/tokens.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/signals.h"
#include "toolchain/arch_state/generation.h"

namespace gt200::model {

class thread_barrier : public core_stage,
                       public tlm_bus::signal_source,
                       public thread_barrier_if,
                       public barrier_waiters_if {
 public:
  static constexpr unsigned per_block = 16;

  sc_core::sc_vector<tlm_bus::pipe_in<collected_token>> in;   // from the branch units
  sc_core::sc_vector<tlm_bus::pipe_out<executed_token>> out;  // to them
  sc_core::sc_vector<tlm_bus::pipe_out<path_release_token>> release;

  tlm_bus::port<memory_order_if> memory_order;

  tlm_bus::counter arrivals{"arrivals", "warp instructions", "paths that arrived at a barrier"};
  tlm_bus::counter releases{"releases", "barriers", "barriers completed"};
  tlm_bus::counter memory_waits{
      "memory_waits", "core cycles",
      "cycles in which a barrier that all threads have reached waited for accesses to pass"};

  thread_barrier(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain,
                 const config::sm_config& config, const arch_state::generation& generation);

  void tick() override;
  void exited(const warp_instruction& operation) override;

  const warp_signal& waiting_warps() const override { return waiting_warps_; }

  // For observers: warps of the block with a path that waits at barrier `id`.
  warp_mask waiting(block_slot block, unsigned id) const { return blocks_[block.index()].barriers[id].waiting; }

  void publish(tlm_bus::signal_writer& to) override;
  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "barrier"; }

 private:
  struct barrier_state {
    bool armed = false;    // somebody has arrived since it opened last
    unsigned arrived = 0;  // threads that have not exited since
    warp_mask waiting = 0;
    arch_state::barrier_totals totals;
    const isa::instruction* reduction = nullptr;
    core_cycle release_at = core_cycle::never();
  };
  struct block_state {
    const grid_descriptor* grid = nullptr;
    unsigned exited = 0;  // threads, as of the last edge
    warp_mask warps = 0;  // that have arrived anywhere
    // Arrived or ended, and their accesses before that may not have passed the memory arbiter.
    warp_mask unordered = 0;
    std::array<barrier_state, per_block> barriers;
  };
  struct exit_event {
    core_cycle at;
    block_slot block;
    const grid_descriptor* grid;
    warp_slot warp;
    std::uint32_t memory_sent;
    isa::lane_mask lanes;
    std::uint64_t sequence;  // of the instruction
  };
  // Of a warp at a barrier of its block, since it opened last.
  struct lanes_there {
    isa::lane_mask arrived = 0;
    isa::lane_mask waiting = 0;
  };
  struct result {
    std::uint32_t count = 0;
    bool truth = false;
  };
  void settle_exits();
  void exit(const exit_event& e);
  bool older_arrival_waits(const exit_event& e) const;
  bool is_complete(const block_state& block, unsigned id) const;
  bool waits_anywhere(warp_slot warp) const;
  void arrive(unsigned from, warp_instruction& operation);
  void read_result(warp_instruction& operation) const;
  bool accesses_passed(block_state& block);
  void complete();
  void open(block_state& block, unsigned id);
  void send_released();

  const arch_state::generation& generation_;
  unsigned processing_blocks_;
  core_cycles release_delay_;
  std::vector<block_state> blocks_;
  std::vector<exit_event> exits_;                   // that are not counted yet
  unsigned armed_ = 0;                              // barriers
  std::vector<ring<path_release_token>> released_;  // by processing block
  per_warp<std::array<lanes_there, per_block>> lanes_{};
  warp_signal waiting_warps_;
  per_warp<result> results_{};
  per_warp<std::uint32_t> memory_sent_{};  // accesses of the warp before its last arrival or exit
};

}  // namespace gt200::model
