// Branch unit of a processing block: control instructions, what moves state of paths, and fences.
//
// Each acts on the paths of its warp (arch_state/volta/warp_paths.h through simt_stack) once it has its operands.
// Decode has stopped the warp's fetch at an instruction that decides where the warp goes on; the redirect goes from
// here. If no path of the warp can run, none goes before one is released. A path that comes to a barrier of the
// block waits from here on; the instruction goes on to thread_barrier, which counts its threads, and later tells
// which lanes it releases. So nobody else changes paths, and their order does not depend on the order of the
// modules. A fence waits until all older instructions of its warp have ended; issue holds the warp. One instruction
// per cycle.
//
// Paths take turns (tpc.sm.processing_block.path_turn_cycles): when a path has run for so long while another one of
// its warp could have, decode puts the end of its turn in front of the next instruction, and that comes here.
#pragma once

#include "sc_models/config/sm_config.h"
#include "sc_models/sm/clocked_stage.h"
#include "sc_models/sm/front_end/path_turns_if.h"
#include "sc_models/sm/stage_tokens.h"
#include "sc_models/sm/volta/interfaces.h"
#include "sc_models/sm/volta/tokens.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/pipe.h"
#include "toolchain/arch_state/generation.h"

namespace gt200::model {

class branch_unit : public core_stage, public path_turns_if {
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

  tlm_bus::counter turns_ended{"turns_ended", "turns", "turns of paths that ended because of their time"};

  branch_unit(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const config::sm_config& config,
              const arch_state::generation& generation);

  void tick() override;
  void visit_state(tlm_bus::state_image& state) override;
  // -- called by decode --
  bool is_over(warp_slot warp, core_cycle now) const override { return turn_ends_[warp].read(now.number()) <= now; }
  const char* kind() const override { return "branch_unit"; }

 private:
  void execute(warp_instruction& operation);
  bool release_paths();
  bool pass_to_barrier(warp_instruction& operation);
  bool release_fence();
  void keep_time(warp_slot warp);

  const arch_state::generation& generation_;
  warp_instruction* fence_ = nullptr;  // waits; fences of other warps wait behind it
  core_cycles turn_cycles_;            // 0: turns do not end by themselves
  // When the turn of the running path ends; never() while no other path can run.
  per_warp<tlm_bus::registered<core_cycle>> turn_ends_;
  per_warp<std::uint32_t> turns_{};  // of the warp when that was decided
};

}  // namespace gt200::model
