// Explains a launch that does not end: who waits for what. Looks at the chip from outside between two runs of the
// simulation; changes nothing.
#pragma once

#include <string>

#include "sc_models/chip.h"

namespace gt200::observe {

// First what matters, in a few lines: the state of the grid, credits that are lost, warps grouped by what they wait
// for with the instruction of one of them, and what modules have outstanding. Then every unfinished warp with its
// block, program counter and what it waits for, and every queue that is not empty.
std::string explain_hang(model::chip& chip);

}  // namespace gt200::observe
