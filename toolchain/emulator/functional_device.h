// The emulator as a device of the launch library: runs a launch description without any notion of time.
#pragma once

#include <stdexcept>

#include "toolchain/emulator/run.h"
#include "toolchain/launch/device_memory.h"
#include "toolchain/launch/prepare.h"

namespace gt200::emulator {

// Ends the steps of a launch description when a grid has faulted.
class launch_fault : public std::runtime_error {
 public:
  explicit launch_fault(const fault& f) : std::runtime_error(describe(f)), fault_(f) {}
  const emulator::fault& what_happened() const { return fault_; }

 private:
  emulator::fault fault_;
};

class functional_device {
 public:
  // `program` must outlive the device. Only its buffers and variables are accessible to kernels.
  explicit functional_device(const launch::prepared& program, const run_options& options = {},
                             run_observer* observer = nullptr);

  // For launch::upload, execute and check; refers to this object. Its `launch` throws launch_fault.
  launch::device interface();

  memory& global() { return global_; }
  const run_counters& counters() const { return counters_; }  // of all grids so far

 private:
  void launch(const launch::launch_parameters& grid);

  const launch::prepared& program_;
  run_options options_;
  run_observer* observer_;
  memory global_;
  run_counters counters_;
};

}  // namespace gt200::emulator
