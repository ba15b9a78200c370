// Published figures of the SM: latencies, throughputs, barriers, shared memory, divergence.
#pragma once

#include "testbenches/validation/records/figure.h"

namespace gt200::timing {

validation::figure_set sm_figures();

}  // namespace gt200::timing
