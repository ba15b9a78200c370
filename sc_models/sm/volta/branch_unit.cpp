#include "sc_models/sm/volta/branch_unit.h"

#include "tlm_bus/state_image.h"

namespace gt200::model {
namespace {

core_cycles way_from_operands(const config::sm_config& config) {
  return config.clocks.to_core(config.branch.latency_cycles) - core_cycles(1);
}

}  // namespace

branch_unit::branch_unit(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain,
                         const config::sm_config& config, const arch_state::generation& generation)
    : core_stage(name, domain),
      in("in", *this,
         config.operand_collector.control_queue_entries + static_cast<unsigned>(way_from_operands(config).count()),
         static_cast<unsigned>(way_from_operands(config).count())),
      released("released", *this, config.limits.warps),
      from_barrier("from_barrier", *this, config.operand_collector.control_queue_entries),
      redirect("redirect", *this),
      out("out", *this),
      to_barrier("to_barrier", *this),
      simt_stack("simt_stack"),
      paths("paths"),
      block_control("block_control"),
      blocks("blocks"),
      issue("issue"),
      barrier("barrier"),
      generation_(generation),
      turn_cycles_(config.processing_block.path_turn_cycles) {
  for (auto& ends : turn_ends_) ends = tlm_bus::registered<core_cycle>(core_cycle::never());
}

// The paths of the warp may have changed.
void branch_unit::keep_time(warp_slot warp) {
  if (turn_cycles_ == core_cycles(0)) return;
  const arch_state::divergence& paths_of_warp = simt_stack->state(warp);
  const core_cycle before = turn_ends_[warp].next();
  core_cycle ends = core_cycle::never();
  if (paths_of_warp.others_can_run()) {
    const bool begins = before == core_cycle::never() || turns_[warp] != paths_of_warp.turns();
    ends = begins ? cycle() + turn_cycles_ : before;
  }
  turns_[warp] = paths_of_warp.turns();
  if (ends != before) turn_ends_[warp].change(cycle().number()) = ends;
}

void branch_unit::execute(warp_instruction& operation) {
  const isa::instruction& i = *operation.instruction;
  const isa::lane_mask active = simt_stack->active_mask(operation.warp);
  if (i.moves_divergence_state) paths->move_state(operation.warp, i, operation.values, operation.executed);
  const arch_state::control_result result =
      i.indirect ? simt_stack->execute_indirect(operation.warp, operation.pc, i, operation.executed,
                                                operation.values.source[0][0])
                 : simt_stack->execute(operation.warp, operation.pc, i, operation.executed);
  keep_time(operation.warp);
  if (i.flow == isa::flow_kind::branch) {
    ++branches;
    if (operation.executed != 0 && operation.executed != active) ++divergent;
  }
  operation.fault = result.fault;
  if (result.fault != arch_state::fault_kind::none) {
    operation.fault_lanes = operation.executed;
    return;
  }
  if (i.exit && operation.executed != 0) barrier->exited(operation);
  if (result.finished)
    block_control->warp_finished(operation.warp);
  else if (i.ends_or_redirects() && result.mask != 0)
    redirect.send({operation.warp, result.pc, is_meeting(i)});
  if (is_meeting(i)) ++turns_ended;
}

// True if nothing stands in the way of the next instruction.
bool branch_unit::release_fence() {
  if (fence_ == nullptr) return true;
  if (!blocks->is_alone(fence_->warp) || !out.can_send()) {
    wake_next();
    return false;
  }
  issue->release(warp_bit(fence_->warp));
  out.send({fence_});
  fence_ = nullptr;
  note_activity();
  wake_next();   // an instruction may already wait behind the fence
  return false;  // its place at the output is taken
}

// Applies one release. True if the redirect of this cycle is taken.
bool branch_unit::release_paths() {
  const path_release_token* token = released.front();
  if (token == nullptr || !redirect.can_send()) return false;
  const arch_state::control_result where = paths->release(token->warp, token->barrier, token->lanes);
  keep_time(token->warp);
  if (where.mask != 0) redirect.send({token->warp, where.pc, false});
  released.pop();
  note_activity();
  return where.mask != 0;
}

// A path that arrives waits or goes on. True if the instruction has left.
bool branch_unit::pass_to_barrier(warp_instruction& operation) {
  const isa::instruction& i = *operation.instruction;
  if (!i.barrier.arrives) {
    if (!to_barrier.can_send()) return false;
    to_barrier.send({&operation});
    return true;
  }
  if (operation.executed != 0 && operation.executed != operation.active) {
    if (!out.can_send()) return false;
    operation.fault = arch_state::fault_kind::divergent_barrier;
    operation.fault_lanes = operation.active & ~operation.executed;
    out.send({&operation});
    return true;
  }
  if (!redirect.can_send() || !to_barrier.can_send()) return false;
  const arch_state::control_result where =
      paths->arrive(operation.warp, operation.pc, i, operation.executed != 0 && i.barrier.waits);
  keep_time(operation.warp);
  if (where.mask != 0) redirect.send({operation.warp, where.pc, false});
  to_barrier.send({&operation});
  return true;
}

void branch_unit::tick() {
  // 1. What the barriers of the SM have let go.
  const bool redirect_taken = release_paths();
  if (const executed_token* done = from_barrier.front(); done != nullptr && out.can_send()) {
    out.send(*done);
    from_barrier.pop();
    wake_next();
    return;
  }
  // 2. The next instruction.
  if (!release_fence()) return;
  const collected_token* token = in.front();
  if (token == nullptr) return;
  if (redirect_taken) return wake_next();
  warp_instruction& operation = *token->operation;
  const isa::instruction& i = *operation.instruction;
  if (i.unit == isa::unit_class::barrier && operation.fault == arch_state::fault_kind::none) {
    if (generation_.is_fence(i)) {
      fence_ = &operation;
      wake_next();
    } else if (!pass_to_barrier(operation)) {
      return;
    }
    in.pop();
    note_activity();
    return;
  }
  if (!redirect.can_send() || !out.can_send()) return;
  if (operation.fault == arch_state::fault_kind::none) execute(operation);
  note_activity();
  out.send({&operation});
  in.pop();
}

void branch_unit::visit_state(tlm_bus::state_image& state) {
  state.fixed(turn_cycles_);
  state(fence_, turn_ends_, turns_);
}

}  // namespace gt200::model
