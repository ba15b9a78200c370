// The Verilated scoreboards a build has, as CMake lists them.
#pragma once

#include "rtl_ref/scoreboard/pins.h"

namespace gt200::rtl {

struct scoreboard_variant {
  scoreboard_size size;
  std::unique_ptr<scoreboard_pins> (*make)();
};

// Empty without Verilator.
const std::vector<scoreboard_variant>& scoreboard_variants();

}  // namespace gt200::rtl
