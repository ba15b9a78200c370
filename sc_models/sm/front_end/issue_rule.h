// The rule of issue: what it does in a cycle, over the front that has buffer and scoreboard.
//
// A front answers the questions of module_front (stall_attribution.h), and takes what an issue changes:
//   take_entries(warp, b)  the scoreboard entries of the instruction that issues
//   wait_at_barrier(warp)  the warp issues no more until the barrier releases it
//   remove(warp, b)        the oldest instruction of the warp has left
// `b` is what oldest(warp) has returned. There are two: issue.cpp has that of the modules, joined_issue.cpp that of
// the joined front end.
#pragma once

#include <algorithm>

#include "sc_models/sm/blocks/block_control.h"
#include "sc_models/sm/front_end/issue.h"

namespace gt200::model {

// Nearly always all lanes are active, and counting bits is a function call on some processors.
inline unsigned lanes_in(isa::lane_mask lanes) {
  return lanes == ~isa::lane_mask{0} ? isa::warp_size : static_cast<unsigned>(__builtin_popcount(lanes));
}

// The ready warps whose instruction could enter its collector now.
template <class Front>
warp_mask issue::issuable(Front front, warp_mask ready) {
  warp_mask result = 0;
  for (unsigned c = 0; ready != 0; ++c) {  // each ready warp wants one class
    const warp_mask wanting = ready & front.of_class(c);
    if (wanting == 0) continue;
    ready &= ~wanting;
    result |= class_has_room(c) ? wanting : issuable_to_alternatives(front, c, wanting);
  }
  return result;
}

// Among the warps whose instruction is of class `own`, which has no room: those that may issue to another unit.
template <class Front>
warp_mask issue::issuable_to_alternatives(Front front, unsigned own, warp_mask wanting) {
  warp_mask result = 0;
  for (unsigned a = 0; a < alternatives_; ++a) {
    const warp_mask movable = wanting & front.of_alternative(a);
    if (movable == 0) continue;
    const alternative_unit& alternative = units_.alternatives()[a];
    if (alternative.own != own) continue;
    if (reservation_.is_open(alternative, core_cycle(cycle()))) {
      if (class_has_room(alternative.instead)) result |= movable;
    } else {
      wake_at(reservation_.open_at(alternative).number());
    }
  }
  return result;
}

template <bool PLAIN, class Front>
slot_use issue::issue_from(Front front, scheduler_state& s, warp_slot warp) {
  const auto& b = front.oldest(warp);
  const isa::instruction& instruction = *b.instruction;
  if (registers_ != nullptr) registers_->will_be_read(warp, instruction);
  warp_instruction* operation = pool.pass([](auto& instructions) { return instructions.get(); });
  operation->id = b.id;
  operation->sequence = ++sequence_;
  operation->issued_at = core_cycle(cycle());
  operation->instruction = &instruction;
  operation->grid = b.grid;
  operation->pc = b.pc;
  attribution_.issued(warp, b.pc);
  operation->sm = sm_;
  operation->warp = warp;
  operation->active = simt_stack.pass([&](auto& stack) { return stack.active_mask(warp); });
  if (!PLAIN && view_.former != nullptr) view_.former->compose(warp, *operation);
  operation->dependency_entries = front.take_entries(warp, b);
  // A warp that has ended has no instruction left, unless its state is damaged.
  const bool ended = (view_.unfinished_warps() & warp_bit(warp)) == 0;
  operation->fault = ended ? arch_state::fault_kind::machine_check : b.fault;
  operation->fault_lanes = operation->fault == arch_state::fault_kind::none ? 0 : operation->active;
  operation->fault_address = 0;
  operation->resolved_space = isa::memory_space::none;
  operation->window_base = 0;
  operation->by_lane = false;
  block_control.pass([&](auto& control) { control.describe(warp, *operation); });
  if (ended) operation->grid = b.grid;  // its block may be gone

  if (!PLAIN && view_.sections != nullptr) use_sections(warp, *operation);
  if (!PLAIN && view_.former != nullptr) view_.former->issued(*operation);
  if (instruction.unit == isa::unit_class::barrier && instruction.barrier.waits && !operation->formed)
    front.wait_at_barrier(warp);
  const unsigned destination = destination_of(s, instruction, Front::class_of(b), Front::alternatives_of(b),
                                              charged_lanes(warp, *operation));
  front.remove(warp, b);
  block_control.pass([&](auto& control) { control.instruction_issued(warp, instruction.unit); });
  pipes_[destination]->send({operation});
  ++issued;
  const unsigned lanes = lanes_in(operation->active);
  thread_instructions += lanes;
  return {stall_cause::none, warp, static_cast<std::uint8_t>(lanes), operation->pc};
}

// One scheduler's turn. `port_taken`: the other scheduler has issued in this cycle. Returns the use of the slot.
template <bool PLAIN, class Front>
[[gnu::always_inline]] inline slot_use issue::run_scheduler(Front front, scheduler_state& s, warp_mask ready,
                                                            warp_mask probed, bool port_taken) {
  const warp_mask own = probed & s.warps;
  const warp_mask candidates = own == 0 || (port_taken && single_port_) ? 0 : issuable(front, own);
  if (!PLAIN && core_cycle(cycle()) < std::max(s.port_free_at, conflicts_end_.read(cycle()))) {
    wake_next();
    if (candidates != 0) return attribution_.lost_by(front, s.policy->pick(candidates), stall_cause::dispatch_port);
  } else if (candidates != 0) {
    const warp_slot warp = s.policy->pick(candidates);
    s.picked = warp;
    if (!s.observers.empty()) tell_went(s, candidates, warp);
    return issue_from<PLAIN>(front, s, warp);
  }
  const warp_mask missed = PLAIN ? 0 : ready & s.warps & ~probed;
  const warp_mask lost = missed == 0 ? 0 : issuable(front, missed);
  if (lost != 0) return attribution_.lost_by(front, s.policy->pick(lost), stall_cause::not_probed);
  return attribution_.use_of_empty_slot(front, known_resident_ & s.warps, *s.policy);
}

template <unsigned COUNT, bool PLAIN, class Front>
void issue::issue_cycle(Front front) {
  accounting_.begin(core_cycle(cycle()));
  // 1. The policies learn what happened until the last edge, and fetch can read it.
  settle();
  if (observes_ && observed_.has_subscribers() && seen_ != observed_.next()) observed_.change(domain()) = seen_;
  // 2. Each scheduler finds its candidates and picks one.
  warp_mask ready = front.ready() & ~front.at_barrier();
  if (!PLAIN) ready &= ~front.replaying();
  const warp_mask probed = !PLAIN && probes_ ? ready & scoreboard->probed(front.occupied()) : ready;
  bool again = probed != ready;
  const warp_mask wanted = COUNT == 1 ? 0 : issuable(front, PLAIN ? probed : probed & ~without_section(probed));
  bool port_taken = false;
  bool first_issued = false;
  for (unsigned i = 0; i < COUNT; ++i) {
    const unsigned which = in_turn<COUNT>(i);
    scheduler_state& s = schedulers_[which];
    // The first scheduler may have taken the last section.
    const warp_mask refused = PLAIN ? 0 : without_section(ready & s.warps);
    slot_use use = run_scheduler<PLAIN>(front, s, ready & ~refused, probed & ~refused, port_taken);
    const bool has_issued = use.cause == stall_cause::none;
    if (has_issued)
      again = port_taken = true;
    else if (port_taken && (wanted & s.warps) != 0)
      use = attribution_.lost_by(front, s.policy->pick(wanted & s.warps), stall_cause::dispatch_port);
    accounting_.note(which, use);
    first_issued = first_issued || (has_issued && i == 0);
  }
  if (first_issued) first_ = in_turn<COUNT>(1);
  // 3. The slots of this cycle are charged; the causes stay valid while nothing changes.
  accounting_.close(residents_, attribution_.starved_warps(front));
  if (again) wake_next();
}

}  // namespace gt200::model
