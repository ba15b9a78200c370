// Whole kernels of the repository on the model: how long the launches of their description take.
#pragma once

#include <string>
#include <vector>

#include "sc_models/config/chip_config.h"

namespace gt200::timing {

// `what` below kernels/: a folder or a launch description; `parameters` as NAME=VALUE. Seconds of simulated time of
// every launch, in a child process. Throws std::runtime_error when a launch or the check of the result fails.
std::vector<double> launch_seconds(const config::gpu_config& config, const std::string& what,
                                   const std::vector<std::string>& parameters = {});

}  // namespace gt200::timing
