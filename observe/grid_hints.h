// Hints on the grids of a run, for somebody who compares machines: on a chip that is mostly
// empty, or that is at the end of the grid for long, a change of the machine shows little or something else.
#pragma once

#include <string>
#include <vector>

#include "observe/statistics.h"

namespace gt200::observe {

// One line each, without a label; empty if there is nothing to say.
std::vector<std::string> grid_hints(const statistics& source);

}  // namespace gt200::observe
