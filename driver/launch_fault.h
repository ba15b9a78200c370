// What a faulted launch has to say, from the registers of the chip and the probe of the SM.
#pragma once

#include "sc_models/chip.h"
#include "toolchain/arch_state/fault.h"
#include "toolchain/cubin/module.h"
#include "toolchain/launch/launch_parameters.h"

namespace gt200 {

// The fault of the launch that ran last and has faulted, with the text and source line of its instruction. `kernel`
// and `grid` are those of the launch.
arch_state::fault fault_of_launch(model::chip& chip, const cubin::kernel& kernel, const launch::grid_size& grid);

}  // namespace gt200
