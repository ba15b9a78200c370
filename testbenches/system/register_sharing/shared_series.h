// Random programs whose warps share registers over time. Source: testbenches/support/pressure_program.h.
#pragma once

#include "testbenches/system/checked/program_series.h"

namespace gt200::support {

// Each program keeps between 10 and 17 registers, by its seed; seeds with which the pass refuses or changes nothing
// are left out. The events are sections given. Once per process.
series_outcome run_shared_programs(const series_settings& settings);

}  // namespace gt200::support
