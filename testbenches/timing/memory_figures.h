// Published figures of the memory system.
#pragma once

#include "testbenches/validation/records/figure.h"

namespace gt200::timing {

// Latencies and capacities of every level.
validation::figure_set memory_figures();
// Copies and transposes as whole kernels.
validation::figure_set bandwidth_figures();
// Seven versions of a reduction on the 8800 GTX.
validation::figure_set reduction_figures();

}  // namespace gt200::timing
