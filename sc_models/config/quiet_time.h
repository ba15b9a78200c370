// The longest time a healthy chip can be idle because of its own delays.
#pragma once

#include "sc_models/config/chip_config.h"

namespace gt200::config {

// Twice the sum of all delays of the configuration: all keys in cycles, each in its own clock, except the
// watchdog's.
tlm_bus::femtoseconds quiet_time(const gpu_config& config);

}  // namespace gt200::config
