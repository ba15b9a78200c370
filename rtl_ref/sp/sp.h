// An SP in RTL, of any depth (rtl_ref/library).
#pragma once

#include <memory>
#include <string>

#include "rtl_ref/library/request.h"
#include "rtl_ref/sp/pins.h"

namespace gt200::rtl {

// `depth` of the pipeline, at least 1. `description`: of RTL of your own (rtl_ref/library/description.h), which may
// name `depth`. Empty: sp.sv.
request sp_rtl(unsigned depth, const std::string& description = "");

// A new one, reset. Throws input_error (rtl_ref/library/library.h).
std::unique_ptr<sp_pins> make_sp(unsigned depth, const std::string& description = "");

}  // namespace gt200::rtl
