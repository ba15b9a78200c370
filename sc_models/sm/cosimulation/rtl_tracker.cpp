#include "sc_models/sm/cosimulation/rtl_tracker.h"

#include "sc_models/sm/units/unit_list.h"

namespace gt200::model {

rtl_tracker::rtl_tracker(const tlm_bus::clock_domain& domain, const config::sm_config& config)
    : rtl_tracker(domain, config, rtl_scoreboard(domain, config)) {}

rtl_tracker::rtl_tracker(const tlm_bus::clock_domain& domain, const config::sm_config& config, rtl_scoreboard rtl)
    : rtl_(std::move(rtl)),
      entries_(config.scoreboard.entries_per_warp),
      causes_(std::size_t{config.limits.warps} * entries_, stall_cause::none),
      pending_(config.limits.warps),
      cost_(coon_tracker(domain, config).cost()) {}

dependency_tracker::lookup rtl_tracker::enter(warp_slot warp, const isa::instruction& instruction) {
  return settle(warp, instruction, rtl_.enter(warp, instruction));
}

void rtl_tracker::ask(warp_slot warp, const isa::instruction& instruction) {
  asked_[warp] = &instruction;
  rtl_.ask(warp, instruction);
}

dependency_tracker::lookup rtl_tracker::answered(warp_slot warp) {
  return settle(warp, *asked_[warp], rtl_.answered(warp));
}

dependency_tracker::lookup rtl_tracker::settle(warp_slot warp, const isa::instruction& instruction,
                                               const rtl::scoreboard_pins::answer& answer) {
  if (answer.allocated != 0) {
    const stall_cause cause = cause_of_result(instruction);
    for (const scoreboard_entry entry : entries_in(answer.allocated))
      causes_[warp.index() * entries_ + entry.index()] = cause;
  }
  pending_[warp.index()] |= answer.allocated;
  if (answer.accepted) ++lookups_;
  return {answer.accepted, answer.dependencies, answer.allocated};
}

std::uint64_t rtl_tracker::issue(warp_slot warp, dependency_vectors& buffer) {
  return buffer.at(warp, 0).allocated;
}

void rtl_tracker::complete(warp_slot warp, const isa::instruction&, std::uint64_t entries,
                           dependency_vectors& buffer) {
  pending_[warp.index()] &= ~entries;
  if (entries != 0) buffer.clear_dependencies(warp, rtl_.release(warp, entries));
}

}  // namespace gt200::model
