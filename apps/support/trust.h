// How far a figure of a run can be trusted: the errors of the model against silicon, by the records of
// docs/validation, which the build reads (cmake/trust.cmake).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sc_models/config/chip_config.h"

namespace gt200::apps {

// Relative errors of the recorded figures of one kind.
struct recorded_errors {
  std::size_t figures = 0;
  double mean = 0;  // of their sizes
  double largest = 0;
};
// Errors of the generation of the chip; `whole_kernels`: of times and rates of kernels, else of single latencies,
// rates and capacities. As in the scorecard, published values that others rule out do not count.
recorded_errors errors_of(const config::chip_config& chip, bool whole_kernels);

// Lines for the summary and the page: the errors, and in what the configuration leaves the preset. `config`: as
// named by the user; `plain`: what that is without changes.
std::vector<std::string> trust_lines(const std::string& config, const config::gpu_config& plain,
                                     const config::gpu_config& used);

}  // namespace gt200::apps
