// Runs whole kernels of the repository on the model and measures their launches.
#pragma once

#include <string>
#include <vector>

#include "sc_models/config/chip_config.h"

namespace gt200::timing {

// `what`: a folder or launch description below kernels/; `parameters` as NAME=VALUE. Returns the simulated seconds
// of each launch, run in a child process. Throws std::runtime_error when a launch or the check of the result fails.
std::vector<double> launch_seconds(const config::gpu_config& config, const std::string& what,
                                   const std::vector<std::string>& parameters = {});

}  // namespace gt200::timing
