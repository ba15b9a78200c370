// The Verilated coalescers a build has, as CMake lists them.
#pragma once

#include "rtl_ref/coalescer/pins.h"

namespace gt200::rtl {

struct coalescer_variant {
  coalescer_rule rule;
  std::unique_ptr<coalescer_pins> (*make)();
};

// Empty without Verilator.
const std::vector<coalescer_variant>& coalescer_variants();

}  // namespace gt200::rtl
