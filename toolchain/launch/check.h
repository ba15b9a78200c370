// Compares what a launch left in device memory with the expectations of its description.
#pragma once

#include <cstddef>
#include <string>

#include "toolchain/launch/device_memory.h"
#include "toolchain/launch/host_functions.h"
#include "toolchain/launch/prepare.h"

namespace gt200::launch {

struct check_result {
  bool passed = true;
  std::size_t checks = 0;  // expectations that applied; 0 = nothing was compared
  double worst_error = 0;  // largest error of all toleranced comparisons, in the units of their metric
  std::string message;     // one line per failed expectation, with the first differing elements
};

// Throws input_error when an expectation itself is unusable: a reference that gives too many values or no scale.
check_result check(const prepared& program, const host_table& hosts, const device& target);

}  // namespace gt200::launch
