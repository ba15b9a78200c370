// The coalescer in RTL, with either rule (rtl_ref/library).
#pragma once

#include <memory>
#include <string>

#include "rtl_ref/coalescer/pins.h"
#include "rtl_ref/library/request.h"

namespace gt200::rtl {

// `description`: of RTL of your own (rtl_ref/library/description.h), which may name `rule`: 0 is 1.0, 1 is 1.2.
// Empty: coalescer.sv.
request coalescer_rtl(coalescer_rule rule, const std::string& description = "");

// A new one, reset. Throws input_error (rtl_ref/library/library.h).
std::unique_ptr<coalescer_pins> make_coalescer(coalescer_rule rule, const std::string& description = "");

}  // namespace gt200::rtl
