// The template for your own coalescer (rtl_ref/template), Verilated. It has rule 1.2.
#pragma once

#include <memory>

#include "rtl_ref/coalescer/pins.h"

namespace gt200::rtl {

std::unique_ptr<coalescer_pins> make_merge_unit();

}  // namespace gt200::rtl
