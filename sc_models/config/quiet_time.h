// How long a sound chip may stand still because of its own delays.
#pragma once

#include "sc_models/config/chip_config.h"

namespace gt200::config {

// Time in which every delay of the configuration can pass one after the other, twice: all keys in cycles, each in
// its own clock, without the watchdog's own.
tlm_bus::femtoseconds quiet_time(const gpu_config& config);

}  // namespace gt200::config
