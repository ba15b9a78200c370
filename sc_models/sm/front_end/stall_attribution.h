// Finds why a warp does not issue, and the warp and instruction to which an empty issue slot is charged.
//
// All results follow from the state at the last clock edge. A slot without an issue is charged to the resident warp
// that the scheduler's policy would have picked next, for the cause that keeps this warp from issuing. Attribution
// rule: docs/statistics.md.
#pragma once

#include <array>

#include "sc_models/sm/divergence/warp_former_if.h"
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

class stall_attribution {
 public:
  explicit stall_attribution(const issue_view& view) : view_(view) {}

  // A new warp occupies the slot.
  void started(warp_slot warp) { last_issued_[warp] = 0; }
  void issued(warp_slot warp, isa::code_address pc) { last_issued_[warp] = pc; }
  // Address of the warp's last issued instruction; 0 before its first.
  isa::code_address last_issued(warp_slot warp) const { return last_issued_[warp]; }

  // The cause that keeps this resident warp from issuing.
  stall_cause cause_of(warp_slot warp) const;
  // The use of a slot that was lost because of this warp. Its instruction is the one the warp holds back, or the
  // last one it issued.
  slot_use lost_by(warp_slot warp, stall_cause cause) const;
  // The use of a slot in which none of the scheduler's resident warps issued.
  slot_use use_of_empty_slot(warp_mask resident, const scheduler& policy) const;
  // Number of warps with an empty buffer whose fetch waits for the instruction cache.
  unsigned starved_warps() const {
    const warp_mask missing = view_.missing_warps();
    if (missing == 0) return 0;
    return static_cast<unsigned>(
        __builtin_popcountll(missing & view_.unfinished_warps() & ~view_.occupied_warps()));
  }

  void visit_state(tlm_bus::state_image& state) { state(last_issued_); }

 private:
  const issue_view& view_;
  per_warp<isa::code_address> last_issued_{};
};

}  // namespace gt200::model
