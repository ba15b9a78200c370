// Branch unit: executes control instructions, and the exit and join flags of other instructions, on the divergence
// stack.
//
// Decode has stopped the warp's fetch. It continues with a redirect from here, or never if all lanes have exited.
// SSY and PBK only push a token; fetch does not stop for them. If an instruction needs stack entries that are in
// memory, the redirect is sent when stack_memory has loaded them. Source: no prediction, 4-cycle branch: Kanter;
// divergence rules: the generation (toolchain/arch_state/divergence.h).
#pragma once

#include "sc_models/config/sm_config.h"
#include "sc_models/sm/blocks/block_control.h"
#include "sc_models/sm/clocked_stage.h"
#include "sc_models/sm/divergence/simt_stack.h"
#include "sc_models/sm/divergence/warp_former_if.h"
#include "sc_models/sm/interfaces.h"
#include "sc_models/sm/operands/section_pool_if.h"
#include "sc_models/sm/stage_tokens.h"
#include "sc_models/sm/units/lane_share.h"
#include "sc_models/sm/usual_port.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/port.h"

namespace gt200::model {

class branch : public core_stage {
 public:
  tlm_bus::pipe_in<control_token> in;                 // from the operand collector
  tlm_bus::pipe_in<redirect_token> resumed;           // from the stack memory
  tlm_bus::pipe_out<redirect_token> redirect;         // to fetch
  tlm_bus::pipe_out<executed_token> out;              // to write-back: pure control instructions
  tlm_bus::pipe_out<stack_transfer_token> transfers;  // to the stack memory

  usual_port<simt_stack_branch_if, gt200::model::simt_stack> simt_stack;
  usual_port<block_control_if, gt200::model::block_control> block_control;

  tlm_bus::counter branches{"branches", "warp instructions", "branch instructions"};
  tlm_bus::counter divergent{"divergent", "warp instructions", "branches that only some of the active lanes took"};

  branch(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const config::sm_config& config,
         lane_share share = {});

  // Before the first launch: warps share registers over time.
  void share_registers(section_pool_if& pool) { sections_ = &pool; }
  // The same: warps are formed anew.
  void form_warps(warp_former_if& former) { former_ = &former; }

  void tick() override;
  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "branch"; }

 private:
  arch_state::fault_kind pass_section(warp_slot warp, const isa::instruction& instruction, bool finished);
  bool is_formed(warp_slot warp) const { return former_ != nullptr && former_->forms(warp); }
  void count(const control_token& t, isa::lane_mask active);
  void end_of_elaboration() override {
    simt_stack.resolve();
    block_control.resolve();
  }
  isa::lane_mask active_mask(warp_slot warp) const {
    return simt_stack.pass([warp](const auto& stacks) { return stacks.active_mask(warp); });
  }
  template <class Stacks>
  static arch_state::control_result result_of(Stacks& stacks, const control_token& t);
  threads_result execute(const control_token& t);
  threads_result execute_by_thread(const control_token& t);
  void report(const control_token& t, const threads_result& result);
  bool moves_entries(const control_token& t, const arch_state::control_result& result);
  [[gnu::noinline]] bool move_entries(const control_token& t, const arch_state::control_result& result,
                                      unsigned filled);

  section_pool_if* sections_ = nullptr;
  warp_former_if* former_ = nullptr;
  core_cycles interval_;  // per instruction
  lane_share share_;
  core_cycle free_at_;
};

}  // namespace gt200::model
