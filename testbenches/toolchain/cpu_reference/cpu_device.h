// A device that runs the kernels of a .cu file on the CPU, compiled by clang as ordinary C++. Device memory is
// mapped at its own addresses, which are pointers of the process, so parameters and pointers in memory need no
// translation.
#pragma once

#include <string>

#include "toolchain/launch/device_memory.h"
#include "toolchain/launch/prepare.h"

namespace gt200::cuda {

class cpu_device {
 public:
  // Throws input_error when there is no clang, clang refuses the file, or the addresses are not free.
  cpu_device(const launch::prepared& program, const std::string& source);
  ~cpu_device();
  cpu_device(const cpu_device&) = delete;
  cpu_device& operator=(const cpu_device&) = delete;

  launch::device interface();

 private:
  void build(const std::string& source);
  void run(const launch::launch_parameters& grid);
  template <class T>
  T symbol(const std::string& name) const;

  const launch::prepared& program_;
  std::string folder_;
  void* library_ = nullptr;
  std::size_t mapped_ = 0;
};

}  // namespace gt200::cuda
