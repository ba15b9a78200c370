// Names in device code that is compiled for the host's processor.
#pragma once

#include <string>

namespace gt200::cuda {

// The function that calls a kernel with the parameters at an address; cuda/nvcc/cpu_code.h makes it.
inline std::string cpu_entry_of(const std::string& kernel) { return "gt200_cpu_call." + kernel; }

}  // namespace gt200::cuda
