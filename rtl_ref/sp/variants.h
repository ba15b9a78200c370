// The Verilated SPs a build has, as CMake lists them.
#pragma once

#include "rtl_ref/sp/pins.h"

namespace gt200::rtl {

struct sp_variant {
  unsigned depth;
  std::unique_ptr<sp_pins> (*make)();
};

// Empty without Verilator.
const std::vector<sp_variant>& sp_variants();

}  // namespace gt200::rtl
