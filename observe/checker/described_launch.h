// A launch that is described to a reference must be the one that the chip has begun.
#pragma once

#include "observe/checker/reference.h"

namespace gt200::observe {

// Returns the launch that `launched` describes. Throws std::logic_error with the difference unless it has a kernel,
// and the grid and blocks that begin.
const launch::launch_parameters& described(const launch_source& launched, const model::grid_descriptor& grid);

}  // namespace gt200::observe
