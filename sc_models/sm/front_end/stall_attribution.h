// Finds why a warp does not issue, and the warp and instruction to which an empty issue slot is charged.
//
// All results follow from the state at the last clock edge. A slot without an issue is charged to the resident warp
// that the scheduler's policy would have picked next, for the cause that keeps this warp from issuing. Attribution
// rule: docs/statistics.md.
#pragma once

#include <array>

#include "sc_models/sm/divergence/warp_former_if.h"
#include "sc_models/sm/front_end/exited_warps.h"
#include "sc_models/sm/front_end/slot_profile.h"
#include "sc_models/sm/interfaces.h"
#include "sc_models/sm/operands/section_pool_if.h"
#include "sc_models/sm/schedulers/scheduler.h"
#include "tlm_bus/clock_domain.h"
#include "tlm_bus/state_image.h"

namespace gt200::model {

// Everything that issue can see of its warps and query from its neighbours.
struct issue_view {
  const tlm_bus::clock_domain* domain = nullptr;
  const instruction_buffer_issue_if::warp_signals* warps = nullptr;
  const warp_signal* resident = nullptr;
  const warp_signal* unfinished = nullptr;
  const tlm_bus::registered_signal<per_warp<stall_cause>>* awaited_at_exit = nullptr;
  const warp_signal* missing = nullptr;  // in the instruction cache
  tlm_bus::registered<warp_mask> at_barrier;
  tlm_bus::registered<warp_mask> replaying;  // an access to shared memory
  const warp_signal* scoreboard_full = nullptr;
  instruction_buffer_issue_if* instruction_buffer = nullptr;
  scoreboard_issue_if* scoreboard = nullptr;
  section_pool_if* sections = nullptr;  // null: warps share no registers
  warp_former_if* former = nullptr;     // null: warps keep their threads
  collector_class memory_class{};

  warp_mask ready_warps() const { return warps->oldest.read(domain->cycle()).ready; }
  warp_mask occupied_warps() const { return warps->oldest.read(domain->cycle()).occupied; }
  warp_mask resident_warps() const { return resident->read(domain->cycle()); }
  warp_mask unfinished_warps() const { return unfinished->read(domain->cycle()); }
  warp_mask missing_warps() const { return missing->read(domain->cycle()); }
  warp_mask scoreboard_full_warps() const { return scoreboard_full->read(domain->cycle()); }
  warp_mask warps_at_barrier() const { return at_barrier.read(domain->cycle()); }
  warp_mask replaying_warps() const { return replaying.read(domain->cycle()); }
  warp_mask forming_warps() const { return former->forming().read(domain->cycle()); }
  // Of an occupied warp: its instruction is an acquire that has to wait.
  bool waits_for_section(warp_slot warp) const {
    return sections != nullptr &&
           instruction_buffer->oldest(warp).instruction->section.action == isa::section_action::acquire &&
           !sections->may_acquire(warp);
  }
};

// What issue reads of buffer and scoreboard where these are modules. Another front (joined_issue.cpp) has the same
// functions; the rules are written over either.
class module_front {
 public:
  explicit module_front(const issue_view& view) : view_(view) {}

  warp_mask ready() const { return view_.ready_warps(); }
  warp_mask occupied() const { return view_.occupied_warps(); }
  warp_mask at_barrier() const { return view_.warps_at_barrier(); }
  warp_mask replaying() const { return view_.replaying_warps(); }
  // Warps whose next instruction needs more scoreboard entries than are free.
  warp_mask without_entry() const { return view_.scoreboard_full_warps(); }
  // Among ready warps, by what their oldest instruction needs.
  warp_mask of_class(unsigned c) const { return view_.warps->of_class[c]; }
  warp_mask of_alternative(unsigned a) const { return view_.warps->of_alternative[a]; }
  // Of an occupied warp.
  const buffered_instruction& oldest(warp_slot warp) const { return *view_.warps->first[warp]; }
  // Its collector class and the alternatives to it (unit_list.h).
  static unsigned class_of(const buffered_instruction& b) { return as_index(b.collector); }
  static unsigned alternatives_of(const buffered_instruction& b) { return b.alternatives; }
  // The scoreboard entries for which the oldest instruction waited at the last edge.
  std::uint64_t awaited_entries(warp_slot warp) const {
    return view_.instruction_buffer->blocking_dependencies(warp);
  }
  // What the first of these entries stands for.
  stall_cause cause_of(warp_slot warp, std::uint64_t entries) const {
    return view_.scoreboard->cause_of(warp, lowest_entry(entries));
  }

 private:
  const issue_view& view_;
};

class stall_attribution {
 public:
  explicit stall_attribution(const issue_view& view) : view_(view) {}

  // A new warp occupies the slot.
  void started(warp_slot warp) { last_issued_[warp] = 0; }
  void issued(warp_slot warp, isa::code_address pc) { last_issued_[warp] = pc; }
  // Address of the warp's last issued instruction; 0 before its first.
  isa::code_address last_issued(warp_slot warp) const { return last_issued_[warp]; }

  // The cause that keeps this resident warp from issuing.
  template <class Front>
  stall_cause cause_of(Front front, warp_slot warp) const;
  // The use of a slot that was lost because of this warp. Its instruction is the one the warp holds back, or the
  // last one it issued.
  template <class Front>
  slot_use lost_by(Front front, warp_slot warp, stall_cause cause) const {
    const bool holds = cause != stall_cause::barrier && (front.occupied() & warp_bit(warp)) != 0;
    return {cause, warp, 0, holds ? front.oldest(warp).pc : last_issued_[warp]};
  }
  // The use of a slot in which none of the scheduler's resident warps issued.
  template <class Front>
  slot_use use_of_empty_slot(Front front, warp_mask resident, const scheduler& policy) const;
  // Number of warps with an empty buffer whose fetch waits for the instruction cache.
  template <class Front>
  unsigned starved_warps(Front front) const {
    const warp_mask missing = view_.missing_warps();
    if (missing == 0) return 0;
    return static_cast<unsigned>(__builtin_popcountll(missing & view_.unfinished_warps() & ~front.occupied()));
  }

  void visit_state(tlm_bus::state_image& state) { state(last_issued_); }

 private:
  const issue_view& view_;
  per_warp<isa::code_address> last_issued_{};
};

template <class Front>
stall_cause stall_attribution::cause_of(Front front, warp_slot warp) const {
  const warp_mask bit = warp_bit(warp);
  if ((front.at_barrier() & bit) != 0) return stall_cause::barrier;
  if ((front.replaying() & bit) != 0) return stall_cause::dependency_shared;
  if ((front.occupied() & bit) == 0) {
    if (view_.former != nullptr && (view_.forming_warps() & bit) != 0) return stall_cause::warp_formation;
    if ((view_.unfinished_warps() & bit) == 0) return view_.awaited_at_exit->read(view_.domain->cycle())[warp];
    if ((view_.missing_warps() & bit) != 0) return stall_cause::icache_miss;
    return (front.without_entry() & bit) != 0 ? stall_cause::scoreboard_full : stall_cause::buffer_empty;
  }
  if ((front.ready() & bit) != 0) {
    if (view_.waits_for_section(warp)) return stall_cause::register_section;
    const bool for_memory = Front::class_of(front.oldest(warp)) == as_index(view_.memory_class);
    return for_memory ? stall_cause::memory_back_pressure : stall_cause::unit_busy;
  }
  const std::uint64_t awaited = front.awaited_entries(warp);
  return awaited == 0 ? stall_cause::buffer_empty : front.cause_of(warp, awaited);
}

template <class Front>
slot_use stall_attribution::use_of_empty_slot(Front front, warp_mask resident, const scheduler& policy) const {
  if (resident == 0) return {};
  // Warps that have exited are charged only if there is no other warp.
  const warp_mask unfinished = view_.unfinished_warps() & resident;
  const warp_slot warp = policy.pick(
      unfinished != 0 ? unfinished : charged_among(resident, view_.awaited_at_exit->read(view_.domain->cycle())));
  return lost_by(front, warp, cause_of(front, warp));
}

}  // namespace gt200::model
