// The exit of memory and texture instructions from the SM to the TPC's SM controller; at most one per interval.
//
// An instruction with a fault or without an executing lane or an access needs none and goes straight to write-back.
// One that controls the whole L1 does so when it passes here; one that controls lines goes out like an access.
// Source: 4 shader cycles per memory instruction: CUDA guide 2.x.
#pragma once

#include "sc_models/cache/line_control_if.h"
#include "sc_models/cluster_tokens.h"
#include "sc_models/config/sm_config.h"
#include "sc_models/sm/clocked_stage.h"
#include "sc_models/sm/stage_tokens.h"
#include "sc_models/sm/units/lane_share.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/pipe_counter.h"

namespace gt200::model {

class memory_port : public core_stage {
 public:
  tlm_bus::pipe_in<collected_token> in;                                     // from the operand collector
  tlm_bus::pipe_in<collected_token> from_stack;                             // from the stack memory
  tlm_bus::pipe_out<memory_operation_token> out;                            // to the SM controller of the TPC
  tlm_bus::pipe_out<executed_token> nothing_to_do;                          // to write-back
  sc_core::sc_port<line_control_if, 1, sc_core::SC_ZERO_OR_MORE_BOUND> l1;  // if the TPC has one

  tlm_bus::counter operations{"operations", "warp instructions", "memory and texture instructions sent to the TPC"};

  memory_port(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const config::sm_config& config,
              lane_share share = {});

  void tick() override;
  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "memory_port"; }

 private:
  bool goes_out(const warp_instruction& operation) const;

  tlm_bus::pipe_counter<collected_token> queue_{"queue", in, *this};
  core_cycles interval_;
  lane_share share_;
  core_cycle free_at_;
};

}  // namespace gt200::model
