// Running a prepared launch on a device: upload, then the steps in order.
#pragma once

#include "toolchain/error.h"
#include "toolchain/launch/device_memory.h"
#include "toolchain/launch/prepare.h"

namespace gt200::launch {

// Writes global variables, buffers and arrays.
void upload(const prepared& program, const device& target);

// A `repeat_while` whose condition still holds after the passes that it may take: the message names its line. Grids
// have run by then, and their results are on the device.
class repetitions_used_up : public input_error {
 public:
  using input_error::input_error;
};

// Runs all steps; grids are numbered from 0. Throws repetitions_used_up; whatever target.launch throws passes
// through.
void execute(const prepared& program, const device& target);

}  // namespace gt200::launch
