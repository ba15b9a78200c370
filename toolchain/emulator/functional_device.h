// The emulator as a device of the launch library: runs a launch description without any notion of time.
#pragma once

#include <memory>
#include <stdexcept>
#include <vector>

#include "toolchain/emulator/bound_textures.h"
#include "toolchain/emulator/grid_run.h"
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

// Which device memory kernels may access.
enum class memory_bounds : std::uint8_t {
  pages,   // as on the chip: everything up to the last buffer and the rest of its page (launch/device_memory.h)
  buffers  // the bytes of buffers and variables and nothing else: finds an index that is wrong by one
};

class functional_device {
 public:
  // `program` must outlive the device. Its textures take the place of those in `options`.
  explicit functional_device(const launch::prepared& program, const run_options& options = {},
                             run_observer* observer = nullptr, memory_bounds bounds = memory_bounds::pages);
  functional_device(const functional_device&) = delete;
  functional_device& operator=(const functional_device&) = delete;

  // For launch::upload, execute and check; refers to this object. Its `launch` throws launch_fault; a fault of
  // device memory says how far the nearest buffer is.
  launch::device interface();

  memory& global() { return global_; }
  const run_counters& counters() const { return counters_; }  // of all grids so far, faulted ones included
  unsigned launches() const { return launches_; }

 private:
  struct loaded_kernel {
    const cubin::kernel* kernel;
    std::unique_ptr<code_image> code;
    std::unique_ptr<constant_memory> constants;
  };
  const loaded_kernel& loaded(const cubin::kernel& kernel);
  void launch(const launch::launch_parameters& grid);

  const launch::prepared& program_;
  run_options options_;
  run_observer* observer_;
  memory global_;
  bound_textures textures_;
  std::vector<loaded_kernel> kernels_;
  run_counters counters_;
  unsigned launches_ = 0;
};

}  // namespace gt200::emulator
