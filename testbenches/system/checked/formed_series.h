// Random structured programs whose warps are formed anew. Sources: structured_program.h.
#pragma once

#include "testbenches/system/checked/program_series.h"

namespace gt200::support {

// `barriers`: threads also exchange words between regions. The events are warps formed of threads of several warps.
// Where warps take threads of several blocks, there is one SM, and three times as many blocks.
// Once per process.
series_outcome run_formed_programs(const series_settings& settings, bool barriers);

}  // namespace gt200::support
