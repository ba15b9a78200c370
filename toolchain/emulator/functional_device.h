// The emulator as a device of the launch library: runs a launch description without timing, for programs of all
// generations.
#pragma once

#include <memory>
#include <stdexcept>
#include <vector>

#include "toolchain/emulator/bound_textures.h"
#include "toolchain/emulator/grid_run.h"
#include "toolchain/launch/device_memory.h"
#include "toolchain/launch/prepare.h"

namespace gt200::emulator {

// Thrown when a grid faults; ends the launch description.
class launch_fault : public std::runtime_error {
 public:
  explicit launch_fault(const arch_state::fault& f) : std::runtime_error(describe(f)), fault_(f) {}
  const arch_state::fault& cause() const { return fault_; }

 private:
  arch_state::fault fault_;
};

// Which device memory kernels may access.
enum class memory_bounds : std::uint8_t {
  pages,   // as on the chip: everything up to the last buffer and the rest of its page (launch/device_memory.h)
  buffers  // only the bytes of buffers and variables: catches off-by-one indices
};

class functional_device {
 public:
  // `program` must outlive the device. Its textures replace those in `options`. `observer` and the divergence of
  // the options are for Tesla's programs alone; throws input_error if a program of sm_20 or later is to be
  // observed.
  explicit functional_device(const launch::prepared& program, const run_options& options = {},
                             run_observer* observer = nullptr, memory_bounds bounds = memory_bounds::pages);
  functional_device(const functional_device&) = delete;
  functional_device& operator=(const functional_device&) = delete;

  // The callbacks by which launch::upload(), execute() and check() use this object, which must outlive them. A grid
  // that faults throws launch_fault. If the fault is an unmapped address in global memory, its detail names the
  // nearest buffer within 64 KiB.
  launch::device interface();

  arch_state::memory& global() { return global_; }
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
  arch_state::fault launch_tesla(const launch::launch_parameters& grid);
  arch_state::fault launch_later(const launch::launch_parameters& grid);

  const launch::prepared& program_;
  run_options options_;
  run_observer* observer_;
  arch_state::memory global_;
  bound_textures textures_;
  std::vector<loaded_kernel> kernels_;
  run_counters counters_;
  unsigned launches_ = 0;
};

}  // namespace gt200::emulator
