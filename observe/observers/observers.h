// All observers of a chip, by options: waves, logs, views, statistics, checked run, lockstep, hang report.
//
// A platform makes one for each of its chips after the elaboration (sc_start(SC_ZERO_TIME)) and before the first
// launch, and calls launch_begins() before it writes LAUNCH and launch_ended() when the launch has ended:
//
//   const auto options = observe::read_observers("observers.toml");
//   model::chip chip("gpu", config, options.clocking, model::chip_host::platform);
//   ...
//   sc_core::sc_start(sc_core::SC_ZERO_TIME);
//   observe::observers seen(chip, options);
//
// The order of these calls is mandatory. Between the last two the description of the launch (kernel, grid, block,
// parameters) is what the checker executes and the statistics name.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "driver/device.h"
#include "observe/observers/options.h"
#include "observe/statistics.h"

namespace gt200::observe {

class observers {
 public:
  // The chip must outlive it. `stop` ends the simulation at a difference, a hang, or when a file cannot be written;
  // without it sc_stop() does. Throws input_error as the parts do, if a file cannot be written, and if two of the
  // files, or files of two chips of the simulation, are one. Throws std::logic_error before the end of the
  // elaboration.
  observers(model::chip& chip, const observer_options& options, std::function<void()> stop = {});
  // For a device: launch_begins() and launch_ended() around each device::launch(). The device finds hangs itself.
  observers(device& target, const observer_options& options);
  ~observers();
  observers(const observers&) = delete;
  observers& operator=(const observers&) = delete;

  // Before LAUNCH is written, while the chip is not busy. The kernel must stay until finish(). Throws
  // std::logic_error for parameters that no chip of this generation can launch, and while a launch runs.
  void launch_begins(const launch::launch_parameters& parameters);
  // Returns how the launch has ended, by the registers of the chip; `stopped` if it has not. The statistics have
  // launches that have ended with `done`. After `stopped` it may be called again. Throws std::logic_error without
  // launch_begins().
  launch_result launch_ended();
  // The same for a result that is known.
  void launch_ended(const launch_result& result);

  // The first difference between the chip and its reference or its RTL, or the explanation of a hang; empty if
  // there is none. Nothing is compared after it.
  std::string trouble() const;
  // Writes all files, once. Returns what they are and what was compared, a line each. Throws input_error for the
  // first that cannot be written, after it has written the others.
  std::string finish();

  const observe::statistics& statistics() const;

 private:
  class state;
  std::unique_ptr<state> state_;
};

}  // namespace gt200::observe
