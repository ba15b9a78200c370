// The reference emulator as a device that launches run on.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include "toolchain/emulator/run.h"
#include "toolchain/launch/device_memory.h"
#include "toolchain/launch/prepare.h"

namespace gt200::apps {

// Ends the steps of a description early: the simulated program did something illegal.
class program_fault : public std::runtime_error {
 public:
  explicit program_fault(const emulator::fault& f) : std::runtime_error(emulator::describe(f)), kind(f.kind) {}
  emulator::fault_kind kind;
};

class emulator_device {
 public:
  // `program` must outlive the device. Maps its globals and buffers, and nothing else.
  emulator_device(const launch::prepared& program, const emulator::run_options& options);
  emulator_device(const emulator_device&) = delete;
  emulator_device& operator=(const emulator_device&) = delete;

  // Refers to this object. Its `launch` throws program_fault.
  const launch::device& target() const { return target_; }
  // Of all launches so far, faulted ones included.
  const emulator::run_counters& counters() const { return counters_; }
  unsigned launches() const { return launches_; }

 private:
  struct loaded_kernel {
    const cubin::kernel* kernel;
    std::unique_ptr<emulator::code_image> code;
    std::unique_ptr<emulator::constant_memory> constants;
  };
  const loaded_kernel& loaded(const cubin::kernel& kernel);
  void run(const launch::launch_parameters& launch);

  const launch::prepared& program_;
  emulator::run_options options_;
  emulator::memory memory_;
  std::vector<loaded_kernel> kernels_;
  emulator::run_counters counters_;
  unsigned launches_ = 0;
  launch::device target_;
};

}  // namespace gt200::apps
