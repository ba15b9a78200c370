// Branch unit of a processing block: control instructions, what moves state of paths, and fences.
//
// Each acts on the paths of its warp (arch_state/volta/warp_paths.h through simt_stack) once it has its operands.
// Decode has stopped the warp's fetch at an instruction that decides where the warp goes on; the redirect goes from
// here. If no path of the warp can run, none goes before one is released. A path that comes to a barrier of the
// block waits from here on; the instruction goes on to thread_barrier, which counts its threads, and later tells
// which lanes it releases. So nobody else changes paths, and their order does not depend on the order of the
// modules. A fence waits until all older instructions of its warp have ended; issue holds the warp. One instruction
// per cycle.
#pragma once

#include "sc_models/config/sm_config.h"
#include "sc_models/sm/clocked_stage.h"
#include "sc_models/sm/stage_tokens.h"
#include "sc_models/sm/volta/interfaces.h"
#include "sc_models/sm/volta/tokens.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/pipe.h"
#include "toolchain/arch_state/generation.h"

namespace gt200::model {

class branch_unit : public core_stage {
 public:
  tlm_bus::pipe_in<collected_token> in;           // from the operand path
  tlm_bus::pipe_in<path_release_token> released;  // from the barriers of the SM
  tlm_bus::pipe_in<executed_token> from_barrier;  // the same: instructions that have passed there
  tlm_bus::pipe_out<redirect_token> redirect;     // to fetch
  tlm_bus::pipe_out<executed_token> out;          // to the operand path, for write-back
  tlm_bus::pipe_out<collected_token> to_barrier;

  tlm_bus::port<simt_stack_branch_if> simt_stack;
  tlm_bus::port<simt_stack_paths_if> paths;
  tlm_bus::port<block_control_if> block_control;
  tlm_bus::port<block_control_state_if> blocks;
  tlm_bus::port<issue_barrier_if> issue;
  tlm_bus::port<thread_barrier_if> barrier;

  tlm_bus::counter branches{"branches", "warp instructions", "branch instructions"};
  tlm_bus::counter divergent{"divergent", "warp instructions", "branches that only some of the active lanes took"};

  branch_unit(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const config::sm_config& config,
              const arch_state::generation& generation);

  void tick() override;
  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "branch_unit"; }

 private:
  void execute(warp_instruction& operation);
  bool release_paths();
  bool pass_to_barrier(warp_instruction& operation);
  bool release_fence();

  const arch_state::generation& generation_;
  warp_instruction* fence_ = nullptr;  // waits; fences of other warps wait behind it
};

}  // namespace gt200::model
