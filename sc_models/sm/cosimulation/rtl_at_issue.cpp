#include "sc_models/sm/cosimulation/rtl_at_issue.h"

#include "sc_models/sm/units/unit_list.h"

namespace gt200::model {

rtl_at_issue::rtl_at_issue(const tlm_bus::clock_domain& domain, const config::sm_config& config)
    : rtl_at_issue(domain, config, rtl_scoreboard_at_issue(domain, config)) {}

rtl_at_issue::rtl_at_issue(const tlm_bus::clock_domain& domain, const config::sm_config& config,
                           rtl_scoreboard_at_issue rtl)
    : rtl_(std::move(rtl)),
      entries_(config.scoreboard.entries_per_warp),
      causes_(std::size_t{config.limits.warps} * entries_, stall_cause::none),
      pending_(config.limits.warps),
      cost_(coon_tracker(domain, config).cost()) {}

dependency_tracker::lookup rtl_at_issue::enter(warp_slot warp, const isa::instruction& instruction) {
  const auto answer = rtl_.enter(warp, instruction);
  ++lookups_;
  return {true, vector_with(0, answer.dependencies, answer.room), 0};
}

std::uint64_t rtl_at_issue::issue(warp_slot warp, dependency_vectors& buffer) {
  const isa::instruction& issued = *buffer.at(warp, 0).instruction;
  if (issued.write_count == 0) return 0;
  const auto answer = rtl_.issue(warp, buffer);
  const stall_cause cause = cause_of_result(issued);
  for (const scoreboard_entry entry : entries_in(answer.taken))
    causes_[warp.index() * entries_ + entry.index()] = cause;
  pending_[warp.index()] |= answer.taken;
  for (unsigned i = 0; i < answer.younger.size(); ++i)
    buffer.set_dependencies(
        warp, i + 1,
        vector_with(buffer.at(warp, i + 1).dependencies, answer.younger[i].dependencies, answer.younger[i].room));
  return answer.taken;
}

void rtl_at_issue::complete(warp_slot warp, const isa::instruction&, std::uint64_t entries,
                            dependency_vectors& buffer) {
  if (entries == 0) return;
  pending_[warp.index()] &= ~entries;
  const auto answer = rtl_.release(warp, entries, buffer);
  buffer.clear_dependencies(warp, answer.cleared);
  for (unsigned i = 0; i < answer.room.size(); ++i)
    buffer.set_dependencies(warp, i, vector_with(buffer.at(warp, i).dependencies, 0, answer.room[i]));
}

stall_cause rtl_at_issue::cause_of(warp_slot warp, scoreboard_entry dependency) const {
  return dependency == coon_tracker::room_bit ? stall_cause::scoreboard_full
                                              : known_cause(causes_[warp.index() * entries_ + dependency.index()]);
}

}  // namespace gt200::model
