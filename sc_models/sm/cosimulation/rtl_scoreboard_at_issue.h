// RTL of the scoreboard that takes entries at issue, on the model's clock: the RTL's cycle ends when the model's
// cycle has ended. Cycles in which nothing enters, issues or completes cost nothing, because the RTL's clock stands
// still, unless it is to run freely (tpc.sm.rtl.clock): then their edges follow before the next call.
#pragma once

#include <memory>

#include "rtl_ref/scoreboard_at_issue/scoreboard_at_issue.h"
#include "sc_models/config/sm_config.h"
#include "sc_models/sm/dependency/dependency_vectors.h"
#include "tlm_bus/clock_domain.h"
#include "tlm_bus/signals.h"

namespace gt200::model {

rtl::scoreboard_at_issue_size size_at_issue(const config::sm_config& config);

class rtl_scoreboard_at_issue {
 public:
  using pins = rtl::scoreboard_at_issue_pins;

  // The RTL that the configuration names. Throws input_error if there is none, or if it has too few ports.
  rtl_scoreboard_at_issue(const tlm_bus::clock_domain& domain, const config::sm_config& config)
      : rtl_scoreboard_at_issue(domain, config,
                                rtl::make_scoreboard_at_issue(size_at_issue(config), config.scoreboard.rtl)) {}
  rtl_scoreboard_at_issue(const tlm_bus::clock_domain& domain, const config::sm_config& config,
                          std::unique_ptr<pins> rtl);

  pins::answer enter(warp_slot warp, const isa::instruction& instruction) {
    begin();
    return pins_->enter(warp.index(), instruction);
  }
  // The oldest instruction in the buffer issues; the others are looked up again.
  pins::allocation issue(warp_slot warp, const dependency_vectors& buffer);
  pins::completion release(warp_slot warp, std::uint64_t entries, const dependency_vectors& buffer);
  bool full_next(warp_slot warp) const { return pins_->full_next(warp.index()); }
  // The pins, and the core cycle in which they were last driven.
  void publish(tlm_bus::signal_writer& to) const;
  // As of the last edge.
  pins::region inspect(warp_slot warp) {
    begin();
    return pins_->inspect(warp.index());
  }

 private:
  void begin() {
    const tlm_bus::cycle_t now = domain_.cycle();
    if (cycle_ == now) return;
    if (cycle_ != tlm_bus::no_cycle) pins_->edge();
    if (free_running_)
      for (tlm_bus::cycle_t reached = cycle_ == tlm_bus::no_cycle ? 0 : cycle_ + 1; reached < now; ++reached)
        pins_->edge();
    cycle_ = now;
  }
  // What is in the buffer from a position on.
  const pins::instruction_list& buffered(warp_slot warp, const dependency_vectors& buffer, unsigned from);

  const tlm_bus::clock_domain& domain_;
  std::unique_ptr<pins> pins_;
  bool free_running_;
  tlm_bus::cycle_t cycle_ = tlm_bus::no_cycle;  // in which the pins were last driven
  pins::instruction_list list_;                 // of the call
};

}  // namespace gt200::model
