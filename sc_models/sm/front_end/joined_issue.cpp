// The issue of the joined front end (joined_front_end.h).
#include "sc_models/sm/blocks/block_control.h"
#include "sc_models/sm/front_end/exited_warps.h"
#include "sc_models/sm/front_end/issue.h"
#include "sc_models/sm/front_end/joined_front_end.h"

namespace gt200::model {

void joined_front_end::issue_step() { modules_.issue.scheduler_count_ == 1 ? issue_cycle<1>() : issue_cycle<2>(); }

template <unsigned COUNT>
void joined_front_end::issue_cycle() {
  issue& i = modules_.issue;
  i.accounting_.begin(core_cycle(state_.cycle));
  i.settle();
  const warp_mask ready = state_.now.ready & ~state_.now.at_barrier & ~state_.now.replaying;
  const warp_mask wanted = COUNT == 1 ? 0 : issuable(ready);
  bool port_taken = false, first_issued = false;
  for (unsigned turn = 0; turn < COUNT; ++turn) {
    const unsigned which = i.in_turn<COUNT>(turn);
    const issue::scheduler_state& s = i.schedulers_[which];
    slot_use use = run(which, ready, port_taken);
    const bool has_issued = use.cause == stall_cause::none;
    if (has_issued)
      port_taken = true;
    else if (port_taken && (wanted & s.warps) != 0)
      use = lost_by(s.policy->pick(wanted & s.warps), stall_cause::dispatch_port);
    i.accounting_.note(which, use);
    first_issued = first_issued || (has_issued && turn == 0);
  }
  if (port_taken) wake_issue();
  if (first_issued) i.first_ = i.in_turn<COUNT>(1);
  const warp_mask missing = i.view_.missing_warps();
  const unsigned starved = missing == 0 ? 0
                                        : static_cast<unsigned>(__builtin_popcountll(
                                              missing & i.view_.unfinished_warps() & ~state_.now.occupied));
  i.accounting_.close(i.residents_, starved);
}

// One scheduler's turn. `port_taken`: the other scheduler has issued in this cycle. Returns the use of the slot.
[[gnu::always_inline]] inline slot_use joined_front_end::run(unsigned which, warp_mask ready, bool port_taken) {
  issue& i = modules_.issue;
  issue::scheduler_state& s = i.schedulers_[which];
  const warp_mask own = ready & s.warps;
  const warp_mask candidates = own == 0 || (port_taken && i.single_port_) ? 0 : issuable(own);
  if (!i.plain_ && core_cycle(state_.cycle) < std::max(s.port_free_at, i.conflicts_end_.read(state_.cycle))) {
    wake_issue();
    if (candidates != 0) return lost_by(s.policy->pick(candidates), stall_cause::dispatch_port);
  } else if (candidates != 0) {
    const warp_slot warp = s.policy->pick(candidates);
    s.picked = warp;
    return issue_from(which, warp);
  }
  return use_of_empty_slot(i.known_resident_ & s.warps, which);
}

// The ready warps whose instruction could enter its collector now.
inline warp_mask joined_front_end::issuable(warp_mask ready) {
  warp_mask result = 0;
  for (unsigned c = 0; ready != 0; ++c) {  // each ready warp wants one class
    const warp_mask wanting = ready & state_.of_class[c];
    if (wanting == 0) continue;
    ready &= ~wanting;
    result |= modules_.issue.class_has_room(c) ? wanting : issuable_to_alternatives(c, wanting);
  }
  return result;
}

// Among the warps whose instruction is of class `own`, which has no room: those that may issue to another unit.
warp_mask joined_front_end::issuable_to_alternatives(unsigned own, warp_mask wanting) {
  issue& i = modules_.issue;
  warp_mask result = 0;
  for (unsigned a = 0; a < i.alternatives_; ++a) {
    const warp_mask movable = wanting & state_.of_alternative[a];
    if (movable == 0) continue;
    const alternative_unit& alternative = i.units_.alternatives()[a];
    if (alternative.own != own) continue;
    if (i.reservation_.is_open(alternative, core_cycle(state_.cycle))) {
      if (i.class_has_room(alternative.instead)) result |= movable;
    } else {
      i.wake_at(i.reservation_.open_at(alternative).number());
    }
  }
  return result;
}

slot_use joined_front_end::issue_from(unsigned which, warp_slot warp) {
  issue& i = modules_.issue;
  const warp_mask bit = warp_bit(warp);
  warp_part& w = state_.warps[warp];
  const front_end_state::slot& slot = oldest(w);
  const isa::instruction& instruction = *slot.instruction;
  if (i.registers_ != nullptr) i.registers_->will_be_read(warp, instruction);
  warp_instruction& operation = *modules_.instruction_pool.get();
  operation.id = slot.id;
  operation.sequence = ++i.sequence_;
  operation.issued_at = core_cycle(state_.cycle);
  operation.instruction = &instruction;
  operation.pc = slot.pc;
  i.attribution_.issued(warp, slot.pc);
  operation.sm = i.sm_;
  operation.warp = warp;
  operation.active = modules_.simt_stack.active_mask(warp);
  operation.dependency_entries = slot.allocated;
  // A warp that has ended has no instruction left, unless its state is damaged.
  const bool ended = (i.view_.unfinished_warps() & bit) == 0;
  operation.fault = ended ? arch_state::fault_kind::machine_check : slot.fault;
  operation.fault_lanes = operation.fault == arch_state::fault_kind::none ? 0 : operation.active;
  operation.fault_address = 0;
  operation.resolved_space = isa::memory_space::none;
  operation.window_base = 0;
  operation.by_lane = false;
  modules_.block_control.describe(warp, operation);
  if (ended) operation.grid = slot.grid;  // its block may be gone
  if (instruction.unit == isa::unit_class::barrier && instruction.barrier.waits && !operation.formed)
    state_.next.at_barrier |= bit;
  const unsigned destination = i.destination_of(i.schedulers_[which], instruction, slot.route & 15u,
                                                unsigned{slot.route} >> 4, i.charged_lanes(warp, operation));
  remove(warp, w);
  modules_.block_control.instruction_issued(warp, instruction.unit);
  i.pipes_[destination]->send({&operation});
  ++i.issued;
  const auto lanes = static_cast<unsigned>(__builtin_popcount(operation.active));
  i.thread_instructions += lanes;
  return {stall_cause::none, warp, static_cast<std::uint8_t>(lanes), operation.pc};
}

// As stall_attribution.h, from this state.
stall_cause joined_front_end::cause_of(warp_slot warp) const {
  const issue_view& view = modules_.issue.view_;
  const warp_mask bit = warp_bit(warp);
  const front_end_state::masks& now = state_.now;
  if ((now.at_barrier & bit) != 0) return stall_cause::barrier;
  if ((now.replaying & bit) != 0) return stall_cause::dependency_shared;
  if ((now.occupied & bit) == 0) {
    if ((view.unfinished_warps() & bit) == 0) return view.awaited_at_exit->read(state_.cycle)[warp];
    if ((view.missing_warps() & bit) != 0) return stall_cause::icache_miss;
    return ((now.without_entry | now.refused) & bit) != 0 ? stall_cause::scoreboard_full
                                                          : stall_cause::buffer_empty;
  }
  const warp_part& w = state_.warps[warp];
  if ((now.ready & bit) != 0)
    return (oldest(w).route & 15u) == as_index(view.memory_class) ? stall_cause::memory_back_pressure
                                                                  : stall_cause::unit_busy;
  const unsigned dependencies = oldest(w).dependencies | (w.cleared_at == state_.cycle ? w.freed : 0u);
  if (dependencies == 0) return stall_cause::buffer_empty;
  return known_cause(w.entries[static_cast<unsigned>(__builtin_ctz(dependencies))].cause);
}

slot_use joined_front_end::lost_by(warp_slot warp, stall_cause cause) const {
  const bool holds = cause != stall_cause::barrier && (state_.now.occupied & warp_bit(warp)) != 0;
  return {cause, warp, 0, holds ? oldest(state_.warps[warp]).pc : modules_.issue.attribution_.last_issued(warp)};
}

slot_use joined_front_end::use_of_empty_slot(warp_mask resident, unsigned which) const {
  if (resident == 0) return {};
  const issue& i = modules_.issue;
  // Warps that have exited are charged only if there is no other warp.
  const warp_mask unfinished = i.view_.unfinished_warps() & resident;
  const warp_slot warp = i.schedulers_[which].policy->pick(
      unfinished != 0 ? unfinished : charged_among(resident, i.view_.awaited_at_exit->read(state_.cycle)));
  return lost_by(warp, cause_of(warp));
}

}  // namespace gt200::model
