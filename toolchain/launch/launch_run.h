// Running a prepared launch on a device: upload, then the steps in order.
#pragma once

#include "toolchain/launch/device_memory.h"
#include "toolchain/launch/prepare.h"

namespace gt200::launch {

// Writes global variables, buffers and arrays.
void upload(const prepared& program, const device& target);

// Runs all steps; grids are numbered from 0. Throws input_error when a `repeat_while` does not end; whatever
// target.launch throws passes through.
void execute(const prepared& program, const device& target);

}  // namespace gt200::launch
