// Explains a launch that does not end: who waits for what. It inspects the chip from outside between two runs of
// the simulation and changes nothing.
//
// It does not detect the hang. device::run() in driver/device.cpp does that, and calls the explanation that
// device_options::explain_hang gives.
#pragma once

#include <string>

#include "sc_models/chip.h"

namespace gt200::observe {

// Begins with a summary of a few lines: the state of the grid, lost credits, warps grouped by the reason why they
// wait (with the instruction of one warp of each group), and outstanding work of modules. Then it lists every
// unfinished warp with its block, program counter and reason, and every queue that is not empty.
std::string explain_hang(model::chip& chip);

// The first lines, for the screen, and how many more there are: the explanation of a large chip has thousands.
std::string beginning_of_explanation(const std::string& text);

}  // namespace gt200::observe
