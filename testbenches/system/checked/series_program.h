// The main function of a program that runs a series of random programs.
#pragma once

#include <functional>

#include "testbenches/system/checked/program_series.h"

namespace gt200::support {

// The arguments are FIRST COUNT SHUFFLE KEY=VALUE... (series_settings). Prints one line of programs, instructions
// and events, separated by tabs, and below it the error. Returns the exit code: 0 without an error, 1 with one, 2
// for wrong arguments.
int series_program(int argc, char** argv, const std::function<series_outcome(const series_settings&)>& run);

}  // namespace gt200::support
