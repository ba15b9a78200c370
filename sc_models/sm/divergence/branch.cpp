#include "sc_models/sm/divergence/branch.h"

#include "tlm_bus/state_image.h"

namespace gt200::model {
namespace {

// The redirect takes one core cycle of the latency.
core_cycles way_from_collector(const config::sm_config& config) {
  return config.clocks.to_core(config.branch.latency_cycles) - core_cycles(1);
}

// A branch whose targets come from constant memory.
bool has_targets(const isa::instruction& i) { return i.flow == isa::flow_kind::branch && i.constant_count != 0; }
const isa::lane_words& targets_of(const warp_instruction& operation) {
  return operation.values.source[operation.instruction->constants[0].slot][0];
}

}  // namespace

branch::branch(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const config::sm_config& config,
               lane_share share)
    : core_stage(name, domain),
      in("in", *this, config.operand_collector.control_queue_entries + way_from_collector(config).count() - 1,
         way_from_collector(config).count()),
      resumed("resumed", *this, config.operand_collector.control_queue_entries),
      redirect("redirect", *this),
      out("out", *this),
      transfers("transfers", *this),
      simt_stack("simt_stack"),
      block_control("block_control"),
      interval_(config.clocks.to_core(config.branch.interval_cycles)),
      share_(share) {}

// Counts the stack entries that moved between on-chip storage and memory. Returns true if the warp must wait for
// some.
inline bool branch::moves_entries(const control_token& t, const arch_state::control_result& result) {
  if (share_.own_lanes_only()) return false;                    // there is room on the chip
  const unsigned filled = result.finished ? 0 : result.filled;  // a warp without lanes needs none
  return result.spilled + filled != 0 && move_entries(t, result, filled);
}

bool branch::move_entries(const control_token& t, const arch_state::control_result& result, unsigned filled) {
  const arch_state::divergence& stack = simt_stack->state(t.warp);
  stack_transfer_token transfer;
  transfer.warp = t.warp;
  transfer.spilled = result.spilled;
  transfer.filled = static_cast<std::uint16_t>(filled);
  transfer.in_memory = static_cast<std::uint16_t>(stack.entries_in_memory());
  transfer.pc = t.pc;
  transfer.resume = {t.warp, result.pc, result.reconverged};
  if (result.spilled != 0) transfer.spilled_words = stack.words(transfer.in_memory + filled - 1);
  transfers.send(transfer);
  for (unsigned i = 0; i < result.spilled + filled; ++i)
    block_control->instruction_issued(t.warp, isa::unit_class::memory);
  return filled != 0;
}

// A release takes effect here, behind the older instructions of its warp. A warp must not end with a section.
arch_state::fault_kind branch::pass_section(warp_slot warp, const isa::instruction& instruction, bool finished) {
  if (instruction.section.action == isa::section_action::release) sections_->released(warp);
  return finished && sections_->holds(warp) ? arch_state::fault_kind::section_kept : arch_state::fault_kind::none;
}

void branch::count(const control_token& t, isa::lane_mask active) {
  if (t.instruction->flow != isa::flow_kind::branch) return;
  ++branches;
  if (t.selected != 0 && t.selected != active) ++divergent;
}

template <class Stacks>
inline arch_state::control_result branch::result_of(Stacks& stacks, const control_token& t) {
  const isa::instruction& instruction = *t.instruction;
  if (is_meeting(instruction)) return stacks.enter(t.warp, t.pc, instruction);
  if (has_targets(instruction))
    return stacks.execute_indirect(t.warp, t.pc, instruction, t.selected, targets_of(*t.operation));
  return stacks.execute(t.warp, t.pc, instruction, t.selected);
}

// The warp keeps its threads: the divergence stack has the rule.
threads_result branch::execute(const control_token& t) {
  const isa::instruction& instruction = *t.instruction;
  const isa::lane_mask active = active_mask(t.warp);
  const auto result = simt_stack.pass([&t](auto& stacks) { return result_of(stacks, t); });
  arch_state::fault_kind fault = result.fault;
  if (sections_ != nullptr && fault == arch_state::fault_kind::none)
    fault = pass_section(t.warp, instruction, result.finished);
  count(t, active);
  if (fault != arch_state::fault_kind::none) return {fault, t.selected};
  const bool waits = moves_entries(t, result);
  if (result.finished)
    block_control->warp_finished(t.warp);
  else if (!waits && instruction.ends_or_redirects())
    redirect.send({t.warp, result.pc, result.reconverged});
  return {};
}

// Each thread goes its own way; the former gets the warp, also if it has no thread left.
threads_result branch::execute_by_thread(const control_token& t) {
  const isa::lane_mask active = former_->active_mask(t.warp);
  const threads_result result = former_->execute(t.warp, *t.instruction, t.pc, t.selected);
  count(t, active);
  if (result.fault == arch_state::fault_kind::none && t.instruction->ends_or_redirects())
    redirect.send({t.warp, t.pc, false});
  return result;
}

void branch::report(const control_token& t, const threads_result& result) {
  if (t.operation != nullptr) {
    t.operation->fault = result.fault;
    if (t.operation->fault_lanes == 0) t.operation->fault_lanes = result.fault_lanes;
    return;
  }
  warp_instruction report;
  report.instruction = t.instruction;
  report.pc = t.pc;
  report.warp = t.warp;
  report.fault = result.fault;
  report.fault_lanes = result.fault_lanes;
  block_control->describe(t.warp, report);
  if (former_ != nullptr) former_->compose(t.warp, report);
  block_control->faulted(report);
}

void branch::tick() {
  // 1. A warp whose stack entries have arrived from memory continues.
  if (const redirect_token* ready = resumed.front(); ready != nullptr && redirect.can_send()) {
    redirect.send(*ready);
    resumed.pop();
  }
  // 2. The next control instruction.
  const control_token* token = in.front();
  if (token == nullptr) return;
  if (cycle() < free_at_) {
    wake_at(free_at_);
    return;
  }
  if (!redirect.can_send() || !transfers.can_send() || (token->operation != nullptr && !out.can_send())) return;
  const control_token t = *token;

  free_at_ = cycle() + share_.cycles(interval_, 1, active_mask(t.warp));
  threads_result result;
  if (t.operation != nullptr) result.fault = t.operation->fault;
  if (result.fault != arch_state::fault_kind::none)
    result.fault_lanes = t.selected;
  else
    result = is_formed(t.warp) ? execute_by_thread(t) : execute(t);
  if (result.fault != arch_state::fault_kind::none) report(t, result);
  note_activity();
  if (t.operation != nullptr) out.send({t.operation});
  in.pop();
}

void branch::visit_state(tlm_bus::state_image& state) {
  state.fixed(sections_, former_, interval_, share_);
  state(free_at_);
}

}  // namespace gt200::model
