#include "sc_models/tpc/sm/issue.h"

#include "sc_models/tpc/sm/instruction_buffer.h"
#include "toolchain/error.h"

namespace gt200::model {

issue::issue(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const config::sm_config& config,
             unsigned sm_in_tpc)
    : stage(name, domain),
      to_sp("to_sp", *this),
      to_sfu("to_sfu", *this),
      to_dp("to_dp", *this),
      to_shared("to_shared", *this),
      to_memory("to_memory", *this),
      to_control("to_control", *this),
      instruction_buffer("instruction_buffer"),
      simt_stack("simt_stack"),
      scoreboard("scoreboard"),
      icache("icache"),
      block_control("block_control"),
      blocks("blocks"),
      pool("pool"),
      config_(config),
      sm_(static_cast<std::uint8_t>(sm_in_tpc)),
      probes_(config.scoreboard.mechanism == config::scoreboard_mechanism::bitmap),
      policy_(make_scheduler(config.scheduler.policy, config.limits.warps, "tpc.sm.scheduler.policy")),
      pipes_{&to_sp, &to_sfu, &to_dp, &to_shared, &to_memory, &to_control} {
  if (config.scheduler.schedulers != 1)
    throw input_error("tpc.sm.scheduler.schedulers = 2 is not available in this version; available is 1");
}

void issue::end_of_elaboration() {
  instruction_buffer->wake_on_change(*this);
  scoreboard->wake_on_full(*this);
  icache->wake_on_change(*this);
  blocks->wake_on_change(*this);
}

void issue::release(warp_mask warps) {
  at_barrier_.change(cycle()) &= ~warps;
  wake_next();
}

bool issue::class_has_room(collector_class c) { return pipes_[static_cast<unsigned>(c)]->can_send(); }

// Of the ready warps, those whose instruction could enter its collector now.
warp_mask issue::issuable(warp_mask ready) {
  warp_mask result = 0;
  for (unsigned c = 0; c < collector_classes; ++c) {
    const auto which = static_cast<collector_class>(c);
    const warp_mask wanting = ready & instruction_buffer->of_class(which);
    if (wanting == 0) continue;
    if (class_has_room(which)) {
      result |= wanting;
    } else if (which == collector_class::sp && config_.sfu.multiply_enabled) {
      const warp_mask multiplications = wanting & instruction_buffer->multiplications();
      if (multiplications != 0 && class_has_room(collector_class::sfu)) result |= multiplications;
    }
  }
  return result;
}

void issue::issue_from(unsigned warp) {
  const buffered_instruction& b = instruction_buffer->oldest(warp);
  const isa::instruction& instruction = *b.instruction;
  warp_instruction* operation = pool->get();
  operation->id = b.id;
  operation->sequence = ++sequence_;
  operation->issued_at = cycle();
  operation->instruction = &instruction;
  operation->grid = b.grid;
  operation->pc = b.pc;
  operation->sm = sm_;
  operation->warp = static_cast<std::uint8_t>(warp);
  operation->unit = instruction.unit;
  operation->active = simt_stack->active_mask(warp);
  operation->dependency_entries = scoreboard->issue(warp);
  operation->fault = b.fault;
  operation->fault_lanes = b.fault == emulator::fault_kind::none ? 0 : operation->active;
  operation->fault_address = 0;
  block_control->describe(warp, *operation);

  collector_class c = class_of(instruction);
  if (instruction.unit == isa::unit_class::sp_mul && c == collector_class::sp) {
    operation->unit = isa::unit_class::sp;
    if (!class_has_room(collector_class::sp)) {
      operation->unit = isa::unit_class::sfu;
      c = collector_class::sfu;
    }
  }
  if (instruction.unit == isa::unit_class::barrier && instruction.barrier_wait)
    at_barrier_.change(cycle()) |= warp_bit(warp);
  instruction_buffer->pop(warp);
  block_control->instruction_issued(warp);
  pipes_[static_cast<unsigned>(c)]->send({operation});
  policy_->picked(warp);
  ++issued;
  thread_instructions += static_cast<unsigned>(__builtin_popcount(operation->active));
}

stall_cause issue::cause_of(unsigned warp, warp_mask ready) {
  const warp_mask bit = warp_bit(warp);
  if ((at_barrier_.read(cycle()) & bit) != 0) return stall_cause::barrier;
  if ((instruction_buffer->occupied() & bit) == 0) {
    if ((blocks->unfinished() & bit) == 0) return stall_cause::draining;
    if ((icache->missing() & bit) != 0) return stall_cause::icache_miss;
    return (scoreboard->full() & bit) != 0 ? stall_cause::scoreboard_full : stall_cause::buffer_empty;
  }
  if ((ready & bit) != 0) {
    const collector_class c = class_of(*instruction_buffer->oldest(warp).instruction);
    return c == collector_class::memory ? stall_cause::memory_back_pressure : stall_cause::unit_busy;
  }
  const std::uint64_t dependencies = instruction_buffer->blocking_dependencies(warp);
  if (dependencies == 0) return stall_cause::buffer_empty;
  return scoreboard->cause_of(warp, static_cast<unsigned>(__builtin_ctzll(dependencies)));
}

stall_cause issue::cause_of_empty_slot() {
  const warp_mask resident = blocks->resident();
  if (resident == 0) return stall_cause::no_warp;
  // Warps that have exited and drain are charged only when no other warp is left.
  const warp_mask unfinished = blocks->unfinished() & resident;
  return cause_of(policy_->pick(unfinished != 0 ? unfinished : resident), instruction_buffer->ready());
}

// Charges the cycles in which this stage slept.
void issue::charge_slept() {
  if (cycle() > accounted_until_) {
    const std::uint64_t slept = cycle() - accounted_until_;
    slots_[static_cast<std::size_t>(sleeping_cause_)] += slept;
    resident_warp_cycles_ += slept * sleeping_warps_;
    accounted_until_ = cycle();
  }
}

void issue::tick() {
  charge_slept();
  // 1. Warps that started since the last look; a policy counts their age from here.
  const warp_mask resident = blocks->resident();
  for (warp_mask fresh = resident & ~known_resident_; fresh != 0; fresh &= fresh - 1)
    policy_->started(static_cast<unsigned>(__builtin_ctzll(fresh)));
  known_resident_ = resident;
  // 2. Who could go, and who goes.
  const warp_mask ready = instruction_buffer->ready() & ~at_barrier_.read(cycle());
  const warp_mask probed = probes_ ? ready & scoreboard->probed(instruction_buffer->occupied()) : ready;
  const warp_mask candidates = probed == 0 ? 0 : issuable(probed);
  stall_cause cause = stall_cause::none;
  if (candidates == 0)
    cause = probed != ready && issuable(ready) != 0 ? stall_cause::not_probed : cause_of_empty_slot();
  else
    issue_from(policy_->pick(candidates));
  // 3. This cycle's slot is charged; the cause holds on while nothing changes.
  ++slots_[static_cast<std::size_t>(cause)];
  sleeping_warps_ = static_cast<unsigned>(__builtin_popcountll(resident));
  resident_warp_cycles_ += sleeping_warps_;
  accounted_until_ = cycle() + 1;
  sleeping_cause_ = cause;
  if (cause == stall_cause::none || probed != ready) wake_next();
}

issue::slot_counts issue::slots_until(tlm_bus::cycle_t until) const {
  slot_counts result = slots_;
  if (until > accounted_until_) result[static_cast<std::size_t>(sleeping_cause_)] += until - accounted_until_;
  return result;
}

std::uint64_t issue::resident_warp_cycles_until(tlm_bus::cycle_t until) const {
  return resident_warp_cycles_ + (until > accounted_until_ ? (until - accounted_until_) * sleeping_warps_ : 0);
}

void issue::reset_accounting(tlm_bus::cycle_t from) {
  resident_warp_cycles_ = 0;
  slots_.fill(0);
  accounted_until_ = from;
}

}  // namespace gt200::model
