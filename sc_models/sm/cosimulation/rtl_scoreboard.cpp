#include "sc_models/sm/cosimulation/rtl_scoreboard.h"

#include "sc_models/sm/cosimulation/signals_of_pins.h"
#include "sc_models/sm/cosimulation/systemc_rtl.h"
#include "sc_models/sm/units/unit_list.h"
#include "toolchain/error.h"

namespace gt200::model {

rtl_scoreboard::rtl_scoreboard(const tlm_bus::clock_domain& domain, const config::sm_config& config,
                               std::unique_ptr<rtl::scoreboard_pins> pins)
    : domain_(domain), pins_(std::move(pins)), free_running_(config.rtl.free_running()) {
  prepare_for_systemc_rtl(*pins_, domain, "scoreboard");
  if (pins_->latency() != config.scoreboard.lookup_latency_cycles.count())
    throw input_error("RTL of the scoreboard answers a look-up after " + std::to_string(pins_->latency()) +
                      " core cycles, tpc.sm.scoreboard.lookup_latency_cycles is " +
                      std::to_string(config.scoreboard.lookup_latency_cycles.count()));
  const unsigned completions = unit_list(config).completion_sources();
  if (pins_->release_ports() < completions)
    throw input_error("RTL of the scoreboard has " + std::to_string(pins_->release_ports()) +
                      " release ports, up to " + std::to_string(completions) +
                      " instructions complete in a cycle of this SM");
}

void rtl_scoreboard::publish(tlm_bus::signal_writer& to) const {
  to.number("rtl.cycle", 64, cycle_ == tlm_bus::no_cycle ? 0 : cycle_);
  signals_of_pins pins(to);
  pins_->show(pins);
}

// After the edge that ended cycle_: adds edges while cycles remain and answers are in flight. Returns the RTL's
// cycle.
tlm_bus::cycle_t rtl_scoreboard::take_answers() {
  for (tlm_bus::cycle_t cycle = cycle_ + 1;; ++cycle) {
    while (!asked_.empty() && asked_.front().due == cycle) {
      answers_[asked_.front().warp] = pins_->answered(asked_.front().port);
      asked_.erase(asked_.begin());
    }
    if (asked_.empty() || cycle == domain_.cycle()) return cycle;
    pins_->edge();
  }
}

}  // namespace gt200::model
