// The barriers of an SM. Each counts the arrived warps of its block and releases them when all have arrived.
//
// The counters are a resource of the SM (limits.barriers). A block has as many as its kernel requests; those of
// block slot n follow those of slot n - 1. A higher barrier number is a fault.
//
// Arrivals are served one per `per_warp_cycles`; the last one releases the block after the constant part of the
// latency. An arrival first reads its counter, unless the arrival served directly before left the same counter
// latched. So one warp takes base + counter_read + per_warp shader cycles, and W > 1 warps that arrive in a row
// take base + per_warp x W (Wong: 20 for one warp, 78 for 16). Barriers count warps, not threads: a warp that
// arrives while some of its lanes wait on another path has a fault. Arriving and waiting may be two instructions; a
// warp that starts to wait after all have arrived continues, because the counter is back at zero. A barrier does
// not wait for warps that have exited. Source: modulo counters of arrivals: envytools; throughput: CUDA guide 4.2.
//
// Where warps are formed anew (warp_former.h), a barrier counts threads. Threads that wait leave their warp, and
// enter the pool when all threads of the block that have not ended have arrived; a warp may arrive at any of its
// paths.
//
// What only some generations have (arch_state/generation.h): A barrier with results combines a predicate of all
// threads; its instructions go to write-back when it releases their warps. A fence waits until all older
// instructions of its warp have been written back. A warp without an executing lane does not arrive.
#pragma once

#include <vector>

#include "sc_models/config/sm_config.h"
#include "sc_models/sm/clocked_stage.h"
#include "sc_models/sm/divergence/warp_former_if.h"
#include "sc_models/sm/interfaces.h"
#include "sc_models/sm/stage_tokens.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/signals.h"
#include "toolchain/arch_state/generation.h"

namespace gt200::model {

class barrier : public core_stage, public tlm_bus::signal_source {
 public:
  tlm_bus::pipe_in<collected_token> in;   // from the operand collector
  tlm_bus::pipe_out<executed_token> out;  // to write-back

  tlm_bus::port<issue_barrier_if> issue;
  tlm_bus::port<simt_stack_barrier_if> simt_stack;
  tlm_bus::port<block_control_state_if> blocks;

  tlm_bus::counter arrivals{"arrivals", "warp instructions", "warps that arrived at a barrier"};
  tlm_bus::counter releases{"releases", "barriers", "barriers completed"};

  barrier(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const config::sm_config& config,
          const arch_state::generation& generation);

  // Before elaboration ends: warps are formed anew.
  void form_warps(warp_former_if& former) { former_ = &former; }

  void tick() override;
  void publish(tlm_bus::signal_writer& to) override;
  // For observers: barriers of a block, and warps of the block that wait at barrier `id`.
  unsigned per_block() const { return per_block_; }
  warp_mask waiting(block_slot block, unsigned id) const {
    const std::size_t counter = block.index() * per_block_ + id;
    if (counter >= counters_.size()) return 0;  // no warp of this grid has arrived yet
    return counters_[counter].waiting | counters_[counter].released;
  }

  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "barrier"; }

 private:
  struct counter_state {
    warp_mask waiting = 0;              // warps that wait for others
    warp_mask released = 0;             // warps that continue at release_at
    unsigned arrived = 0;               // includes warps that do not wait
    bool counts_threads = false;        // `arrived` counts threads
    bool latched = false;               // the last arrival found the counter latched
    arch_state::barrier_totals totals;  // of the warps that have arrived
    arch_state::barrier_totals result;  // for the warps that are released
    core_cycle release_at = core_cycle::never();
    bool idle() const { return arrived == 0 && release_at == core_cycle::never(); }
  };
  counter_state& counter_of(block_slot block, unsigned id) { return counters_[block.index() * per_block_ + id]; }
  void end_of_elaboration() override;
  counter_state& latch(const warp_instruction& operation, block_slot block, bool in_a_row);
  void arrive(warp_instruction& operation, bool in_a_row);
  // Returns how many counters it has changed: one of each block.
  unsigned arrive_by_thread(const warp_instruction& operation, bool in_a_row);
  bool opens_first(const warp_instruction& operation);
  unsigned awaited(const counter_state& c, block_slot block);
  template <class Action>
  void for_each_armed(Action act);
  void complete_where_all_arrived();
  void release_after(counter_state& c);
  void release_due();
  void release_fences();
  void send_results();

  const arch_state::generation& generation_;
  warp_former_if* former_ = nullptr;
  core_cycles per_warp_;
  core_cycles counter_read_;
  core_cycles release_delay_;  // from serving the last arrival, counter latched, to the release
  std::vector<counter_state> counters_;
  unsigned per_block_ = 1;  // of the grid that runs
  unsigned armed_ = 0;      // barriers with an outstanding arrival or release
  core_cycle free_at_;
  const counter_state* latched_ = nullptr;  // counter of the previous arrival
  // Instructions that go to write-back later: of barriers with results, and fences.
  per_warp<warp_instruction*> held_{};
  warp_mask fences_ = 0;       // warps with a fence that waits
  warp_mask with_result_ = 0;  // warps whose result waits for write-back
};

}  // namespace gt200::model
