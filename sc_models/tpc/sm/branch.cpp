#include "sc_models/tpc/sm/branch.h"

namespace gt200::model {
namespace {

constexpr unsigned branch_interval = 2;  // core cycles: 8 lanes per shader cycle, as for the SPs

}  // namespace

branch::branch(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const config::sm_config& config)
    : stage(name, domain),
      in("in", *this, 4),
      redirect("redirect", *this),
      out("out", *this),
      simt_stack("simt_stack"),
      block_control("block_control"),
      interval_(branch_interval),
      spill_latency_(config.simt_stack.spill_latency_cycles) {}

void branch::tick() {
  const control_token* token = in.front();
  if (token == nullptr) return;
  if (cycle() < free_at_) {
    wake_at(free_at_);
    return;
  }
  if (!redirect.can_send() || (token->operation != nullptr && !out.can_send())) return;
  const control_token t = *token;
  const isa::instruction& instruction = *t.instruction;

  free_at_ = cycle() + interval_;
  emulator::fault_kind fault = t.operation != nullptr ? t.operation->fault : emulator::fault_kind::none;
  if (fault == emulator::fault_kind::none) {
    const isa::lane_mask active = simt_stack->active_mask(t.warp);
    const auto result = is_meeting(instruction) ? simt_stack->enter(t.warp, t.pc, instruction)
                                                : simt_stack->execute(t.warp, t.pc, instruction, t.selected);
    fault = result.fault;
    if (instruction.control == isa::control_kind::bra) {
      ++branches;
      if (t.selected != 0 && t.selected != active) ++divergent;
    }
    if (fault == emulator::fault_kind::none) {
      if (result.finished)
        block_control->warp_finished(t.warp);
      else if (instruction.ends_or_redirects())
        redirect.send({t.warp, result.pc, result.met});
      if (result.spilled != 0 || result.filled != 0) {
        spilled += result.spilled;
        free_at_ += std::uint64_t{spill_latency_} * (result.spilled + result.filled);
      }
    }
  }
  if (fault != emulator::fault_kind::none) {
    if (t.operation != nullptr) {
      t.operation->fault = fault;
      if (t.operation->fault_lanes == 0) t.operation->fault_lanes = t.selected;
    } else {
      warp_instruction report;
      report.instruction = &instruction;
      report.pc = t.pc;
      report.warp = t.warp;
      report.fault = fault;
      report.fault_lanes = t.selected;
      block_control->describe(t.warp, report);
      block_control->faulted(report);
    }
  }
  note_activity();
  if (t.operation != nullptr) out.send({t.operation});
  in.pop();
}

}  // namespace gt200::model
