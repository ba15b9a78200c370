#include "observe/observers/hang_watch.h"

#include <utility>

#include "observe/hang_report.h"
#include "sc_models/config/quiet_time.h"

namespace gt200::observe {

namespace {

constexpr tlm_bus::femtoseconds looks_per_limit = 8;

}  // namespace

hang_watch::hang_watch(model::chip& chip, std::function<void(const std::string&)> found)
    : chip_(chip),
      found_(std::move(found)),
      // As device::launch() has it.
      limit_((chip.config.simulation.watchdog_idle_cycles * chip.core.period() + config::quiet_time(chip.config)) *
             1024 / (1024 - chip.clocks.options().stalls.per_1024)) {
  const tlm_bus::femtoseconds window = chip.clocks.window();
  interval_ = (limit_ / looks_per_limit + window) / window * window;
}

hang_watch::~hang_watch() { end(); }

void hang_watch::begin() {
  end();
  moved_at_ = sc_core::sc_time_stamp().value();
  progress_ = chip_.progress();
  next_ = chip_.clocks.window_end(moved_at_) + interval_;
  watching_ = true;
  // Real clocks bring time forward themselves.
  if (chip_.clocks.reference())
    chip_.clocks.attach(*this);
  else
    chip_.clocks.attach_on_time(*this);
}

void hang_watch::end() {
  if (!std::exchange(watching_, false)) return;
  chip_.clocks.detach(*this);
}

void hang_watch::interval_ends() {
  const tlm_bus::femtoseconds now = next_;
  next_ += interval_;
  const std::uint64_t progress = chip_.progress();
  if (progress != progress_ || chip_.command_processor.status() != model::registers::chip_status::busy)
    moved_at_ = now;
  progress_ = progress;
  if (now - moved_at_ < limit_ || !found_) return;
  next_ = tlm_bus::no_time;
  std::exchange(found_, nullptr)(explain_hang(chip_));
}

}  // namespace gt200::observe
