#include "sc_models/sm/cosimulation/rtl_scoreboard_at_issue.h"

#include "sc_models/sm/cosimulation/signals_of_pins.h"
#include "sc_models/sm/cosimulation/systemc_rtl.h"
#include "sc_models/sm/units/unit_list.h"
#include "toolchain/error.h"

namespace gt200::model {
namespace {

void require_ports(unsigned has, const char* ports, unsigned needed, const char* what) {
  if (has < needed)
    throw input_error("RTL of the scoreboard has " + std::to_string(has) + " " + ports + " ports, up to " +
                      std::to_string(needed) + " instructions " + what + " in a cycle of this SM");
}

}  // namespace

rtl::scoreboard_at_issue_size size_at_issue(const config::sm_config& config) {
  return {config.limits.warps, config.scoreboard.entries_per_warp, config.instruction_buffer.entries_per_warp};
}

rtl_scoreboard_at_issue::rtl_scoreboard_at_issue(const tlm_bus::clock_domain& domain,
                                                 const config::sm_config& config, std::unique_ptr<pins> rtl)
    : domain_(domain), pins_(std::move(rtl)), free_running_(config.rtl.free_running()) {
  prepare_for_systemc_rtl(*pins_, domain, "scoreboard");
  require_ports(pins_->issue_ports(), "issue", config.scheduler.schedulers, "issue");
  require_ports(pins_->release_ports(), "release", unit_list(config).completion_sources(), "complete");
}

const rtl_scoreboard_at_issue::pins::instruction_list& rtl_scoreboard_at_issue::buffered(
    warp_slot warp, const dependency_vectors& buffer, unsigned from) {
  list_.clear();
  for (unsigned i = from; i < buffer.buffered(warp); ++i) list_.push_back(buffer.at(warp, i).instruction);
  return list_;
}

rtl_scoreboard_at_issue::pins::allocation rtl_scoreboard_at_issue::issue(warp_slot warp,
                                                                         const dependency_vectors& buffer) {
  begin();
  return pins_->issue(warp.index(), *buffer.at(warp, 0).instruction, buffered(warp, buffer, 1));
}

rtl_scoreboard_at_issue::pins::completion rtl_scoreboard_at_issue::release(warp_slot warp, std::uint64_t entries,
                                                                           const dependency_vectors& buffer) {
  begin();
  return pins_->release(warp.index(), entries, buffered(warp, buffer, 0));
}

void rtl_scoreboard_at_issue::publish(tlm_bus::signal_writer& to) const {
  to.number("rtl.cycle", 64, cycle_ == tlm_bus::no_cycle ? 0 : cycle_);
  signals_of_pins pins(to);
  pins_->show(pins);
}

}  // namespace gt200::model
