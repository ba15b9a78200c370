#include "sc_models/sm/front_end/stall_attribution.h"

#include "sc_models/sm/front_end/exited_warps.h"

namespace gt200::model {

stall_cause stall_attribution::cause_of(warp_slot warp) const {
  const warp_mask bit = warp_bit(warp);
  if ((view_.warps_at_barrier() & bit) != 0) return stall_cause::barrier;
  if ((view_.replaying_warps() & bit) != 0) return stall_cause::dependency_shared;
  if ((view_.occupied_warps() & bit) == 0) {
    if (view_.former != nullptr && (view_.forming_warps() & bit) != 0) return stall_cause::warp_formation;
    if ((view_.unfinished_warps() & bit) == 0) return view_.awaited_at_exit->read(view_.domain->cycle())[warp];
    if ((view_.missing_warps() & bit) != 0) return stall_cause::icache_miss;
    return (view_.scoreboard_full_warps() & bit) != 0 ? stall_cause::scoreboard_full : stall_cause::buffer_empty;
  }
  if ((view_.ready_warps() & bit) != 0) {
    if (view_.waits_for_section(warp)) return stall_cause::register_section;
    const bool for_memory = view_.warps->first[warp]->collector == view_.memory_class;
    return for_memory ? stall_cause::memory_back_pressure : stall_cause::unit_busy;
  }
  const std::uint64_t dependencies = view_.instruction_buffer->blocking_dependencies(warp);
  if (dependencies == 0) return stall_cause::buffer_empty;
  return view_.scoreboard->cause_of(warp, lowest_entry(dependencies));
}

slot_use stall_attribution::lost_by(warp_slot warp, stall_cause cause) const {
  const bool holds = cause != stall_cause::barrier && (view_.occupied_warps() & warp_bit(warp)) != 0;
  return {cause, warp, 0, holds ? view_.warps->first[warp]->pc : last_issued_[warp]};
}

slot_use stall_attribution::use_of_empty_slot(warp_mask resident, const scheduler& policy) const {
  if (resident == 0) return {};
  // Warps that have exited are charged only if there is no other warp.
  const warp_mask unfinished = view_.unfinished_warps() & resident;
  const warp_slot warp = policy.pick(
      unfinished != 0 ? unfinished : charged_among(resident, view_.awaited_at_exit->read(view_.domain->cycle())));
  return lost_by(warp, cause_of(warp));
}

}  // namespace gt200::model
