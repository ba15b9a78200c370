// Scoreboard RTL on the model's clock: the RTL's cycle ends when the model's cycle has ended. Cycles in which
// nothing enters and nothing completes cost nothing, because the RTL's clock stands still, unless it is to run
// freely (tpc.sm.rtl.clock): then their edges follow before the next call. RTL with registered
// answers gets the extra edges that its answers need.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "rtl_ref/scoreboard/scoreboard.h"
#include "sc_models/config/sm_config.h"
#include "sc_models/sm/stage_tokens.h"
#include "tlm_bus/clock_domain.h"
#include "tlm_bus/signals.h"

namespace gt200::model {

class rtl_scoreboard {
 public:
  // The RTL that the configuration names. Throws input_error if there is none, or if its latency or number of
  // release ports does not match.
  rtl_scoreboard(const tlm_bus::clock_domain& domain, const config::sm_config& config)
      : rtl_scoreboard(domain, config,
                       rtl::make_scoreboard({config.limits.warps, config.scoreboard.entries_per_warp},
                                            config.scoreboard.rtl)) {}
  rtl_scoreboard(const tlm_bus::clock_domain& domain, const config::sm_config& config,
                 std::unique_ptr<rtl::scoreboard_pins> pins);

  rtl::scoreboard_pins::answer enter(warp_slot warp, const isa::instruction& instruction) {
    begin();
    return pins_->enter(warp.index(), instruction);
  }
  // With a latency, the answer is available that many cycles after the look-up. Returns the port of the look-up.
  unsigned ask(warp_slot warp, const isa::instruction& instruction) {
    begin();
    const unsigned port = pins_->ask(warp.index(), instruction);
    asked_.push_back({domain_.cycle() + pins_->latency(), warp, port});
    return port;
  }
  rtl::scoreboard_pins::answer answered(warp_slot warp) {
    begin();
    return answers_[warp];
  }
  std::uint64_t release(warp_slot warp, std::uint64_t entries) {
    begin();
    return pins_->release(warp.index(), entries);
  }
  bool full_next(warp_slot warp) const { return pins_->full_next(warp.index()); }
  // The pins, and the core cycle in which they were last driven.
  void publish(tlm_bus::signal_writer& to) const;
  // As of the last edge.
  rtl::scoreboard_pins::region inspect(warp_slot warp) {
    begin();
    return pins_->inspect(warp.index());
  }

 private:
  struct asked {
    tlm_bus::cycle_t due;
    warp_slot warp;
    unsigned port;
  };
  void begin() {
    if (cycle_ == domain_.cycle()) return;
    tlm_bus::cycle_t reached = 0;  // by the RTL
    if (cycle_ != tlm_bus::no_cycle) reached = end_cycle();
    cycle_ = domain_.cycle();
    if (free_running_)
      for (; reached < cycle_; ++reached) pins_->edge();
  }
  // Returns the cycle that follows, or the present one if answers were in flight.
  tlm_bus::cycle_t end_cycle() {
    pins_->edge();
    return asked_.empty() ? cycle_ + 1 : take_answers();
  }
  tlm_bus::cycle_t take_answers();

  const tlm_bus::clock_domain& domain_;
  std::unique_ptr<rtl::scoreboard_pins> pins_;
  bool free_running_;
  tlm_bus::cycle_t cycle_ = tlm_bus::no_cycle;  // cycle in which the pins were last driven
  std::vector<asked> asked_;                    // look-ups without an answer so far, oldest first
  per_warp<rtl::scoreboard_pins::answer> answers_{};
};

}  // namespace gt200::model
