// Scoreboard RTL on the model's clock: ends the RTL's cycle when the model's has ended. Cycles in which nothing
// enters and nothing completes cost nothing; the RTL's clock stands still.
#pragma once

#include <memory>

#include "rtl_ref/scoreboard/pins.h"
#include "sc_models/config/sm_config.h"
#include "tlm_bus/clock_domain.h"

namespace gt200::model {

class rtl_scoreboard {
 public:
  // Throws input_error when this build has no such RTL.
  rtl_scoreboard(const tlm_bus::clock_domain& domain, const config::sm_config& config)
      : rtl_scoreboard(domain, rtl::make_scoreboard({config.limits.warps, config.scoreboard.entries_per_warp})) {}
  rtl_scoreboard(const tlm_bus::clock_domain& domain, std::unique_ptr<rtl::scoreboard_pins> pins)
      : domain_(domain), pins_(std::move(pins)) {}

  rtl::scoreboard_pins::answer enter(unsigned warp, const isa::instruction& instruction) {
    begin();
    return pins_->enter(warp, instruction);
  }
  std::uint64_t release(unsigned warp, std::uint64_t entries) {
    begin();
    return pins_->release(warp, entries);
  }
  bool full_next(unsigned warp) const { return pins_->full_next(warp); }
  // As of the last edge.
  rtl::scoreboard_pins::region inspect(unsigned warp) {
    begin();
    return pins_->inspect(warp);
  }

 private:
  void begin() {
    if (cycle_ == domain_.cycle()) return;
    if (cycle_ != tlm_bus::no_cycle) pins_->edge();
    cycle_ = domain_.cycle();
  }

  const tlm_bus::clock_domain& domain_;
  std::unique_ptr<rtl::scoreboard_pins> pins_;
  tlm_bus::cycle_t cycle_ = tlm_bus::no_cycle;  // in which the pins were driven last
};

}  // namespace gt200::model
