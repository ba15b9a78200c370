// Published rates of whole kernels that are limited by the SMs, and of copies on boards other than the GTX 280.
#pragma once

#include "testbenches/validation/records/figure.h"

namespace gt200::timing {

validation::figure_set published_kernels();

}  // namespace gt200::timing
