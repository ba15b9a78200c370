// Rules that relate several keys.
#pragma once

#include "sc_models/config/load.h"

namespace gt200::config {

// Throws input_error for the first contradiction; it names the keys, their values and where they were set.
void check(const resolved_config& config);

}  // namespace gt200::config
