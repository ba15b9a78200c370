// What a launch asks of the hardware, by the generation of the chip.
#pragma once

#include <string>

#include "sc_models/config/chip_config.h"
#include "sc_models/grid_descriptor.h"
#include "toolchain/launch/launch_parameters.h"

namespace gt200 {

// Says why no chip of this generation can start the grid; empty if one can. Blocks may have as many threads as the
// chip itself allows: model::check_launch() looks at its limits.
std::string refusal(const config::chip_config& chip, const launch::launch_parameters& parameters);

// Sets what the hardware hands out to the blocks of the grid: registers, bytes of shared and local memory,
// barriers; with Tesla also the parameters, which are part of shared memory there. Grid and block are set as well.
void describe_needs(const config::chip_config& chip, const launch::launch_parameters& parameters,
                    model::grid_descriptor& grid);

}  // namespace gt200
