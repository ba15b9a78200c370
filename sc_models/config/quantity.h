// Numbers written with their unit: "16 KiB", "1.296 GHz", "24 shader cycles".
#pragma once

#include <string>

#include "sc_models/config/parameter.h"

namespace gt200::config {

struct quantity_result {
  double value = 0;
  std::string error;  // why the text is no quantity of this unit; empty = fine
};

// Reads `text` as a number of `wanted`. Accepted units: B KiB MiB GiB; kHz MHz GHz; ns us ms; MB/s GB/s; and
// "<domain> cycles", which must name the clock domain the key is counted in.
quantity_result read_quantity(const std::string& text, unit wanted);

}  // namespace gt200::config
