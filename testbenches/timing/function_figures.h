// Published figures of CUDA's fast functions.
#pragma once

#include <vector>

#include "testbenches/validation/records/figure.h"

namespace gt200::timing {

void add_functions(std::vector<validation::figure>& to);

}  // namespace gt200::timing
