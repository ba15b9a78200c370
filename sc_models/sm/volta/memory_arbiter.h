// Brings the memory instructions of the processing blocks to the load/store unit, one per interval, in turns.
//
//   from_blocks            <- instructions with their addresses and data
//   to_load_store_unit, shared_to_load_store_unit -> one order for both: the oldest first
//   stack_accesses         -> nothing: Volta keeps no divergence stack in memory
//
// Its order is that of the accesses: the barriers ask what has passed here.
#pragma once

#include "sc_models/cluster_tokens.h"
#include "sc_models/config/sm_config.h"
#include "sc_models/sm/clocked_stage.h"
#include "sc_models/sm/instruction_parts.h"
#include "sc_models/sm/stage_tokens.h"
#include "sc_models/sm/volta/interfaces.h"
#include "tlm_bus/arbiter.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/port.h"

namespace gt200::model {

class memory_arbiter : public core_stage, public memory_order_if {
 public:
  sc_core::sc_vector<tlm_bus::pipe_in<collected_token>> from_blocks;
  tlm_bus::pipe_out<collected_token> to_load_store_unit;
  tlm_bus::pipe_out<collected_token> shared_to_load_store_unit;
  tlm_bus::pipe_out<collected_token> stack_accesses;

  tlm_bus::counter instructions{"instructions", "warp instructions", "memory instructions of all blocks"};

  memory_arbiter(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain,
                 const config::sm_config& config);

  void tick() override;
  std::uint32_t passed(warp_slot warp) const override;
  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "memory_arbiter"; }

 private:
  core_cycles interval_;
  core_cycle free_at_;
  tlm_bus::round_robin order_;
  per_warp<std::uint32_t> passed_{};
  warp_slot last_;  // that has passed, and when
  core_cycle last_at_ = core_cycle::never();
};

// Brings what ends in the memories of the SM back to the processing blocks.
//
//   from_shared_memory, from_memory_port, from_memory  <- loads with their values, acknowledged stores
//   to_blocks                                          -> to write-back
//
// One of each source per cycle, at most one for each block; sources take turns.
class result_router : public core_stage {
 public:
  tlm_bus::pipe_in<executed_token> from_shared_memory;
  tlm_bus::pipe_in<executed_token> from_memory_port;
  tlm_bus::pipe_in<memory_completion_token> from_memory;
  sc_core::sc_vector<tlm_bus::pipe_out<executed_token>> to_blocks;

  tlm_bus::port<sent_stores_if> block_control;  // learns which stores have been sent

  // `shared_latency`: of the pipe from shared memory. `parts`: of instructions on their way here.
  result_router(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const config::sm_config& config,
                core_cycles shared_latency, instruction_parts& parts);

  void tick() override;
  void visit_state(tlm_bus::state_image&) override {}  // only its parts have state
  const char* kind() const override { return "result_router"; }

 private:
  template <class Token>
  void pass(tlm_bus::pipe_in<Token>& source);
  // True if that was the token of this cycle.
  bool note_sent_store();

  instruction_parts& parts_;
};

}  // namespace gt200::model
