// The Verilated issue arbiters a build has, as CMake lists them.
#pragma once

#include "rtl_ref/issue_arbiter/pins.h"

namespace gt200::rtl {

struct arbiter_variant {
  arbiter_kind kind;
  std::unique_ptr<arbiter_pins> (*make)();
};

// Empty without Verilator.
const std::vector<arbiter_variant>& arbiter_variants();

}  // namespace gt200::rtl
