// Published figures of a Tesla V100.
#pragma once

#include "testbenches/validation/records/figure.h"

namespace gt200::timing {

// Latencies, bandwidths of L1 and L2, streams through the DRAM with all threads and with few.
validation::figure_set volta_figures();

}  // namespace gt200::timing
