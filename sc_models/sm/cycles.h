// The times of an SM's two clocks, for its modules and those who look at it.
#pragma once

#include "sc_models/config/cycles.h"

namespace gt200::model {

using timed::core_cycle;
using timed::core_cycles;
using timed::shader_cycle;
using timed::shader_cycles;

}  // namespace gt200::model
