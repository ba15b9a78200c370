// The scoreboard in RTL, of any size (rtl_ref/library).
#pragma once

#include <memory>
#include <string>

#include "rtl_ref/library/request.h"
#include "rtl_ref/scoreboard/pins.h"

namespace gt200::rtl {

// `description`: of RTL of your own (rtl_ref/library/description.h), which may name `warps` and `entries`. Empty:
// scoreboard.sv.
request scoreboard_rtl(const scoreboard_size& size, const std::string& description = "");

// A new one, reset. Throws input_error (rtl_ref/library/library.h).
std::unique_ptr<scoreboard_pins> make_scoreboard(const scoreboard_size& size, const std::string& description = "");

}  // namespace gt200::rtl
