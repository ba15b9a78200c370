// The templates for your own RTL (rtl_ref/template), Verilated.
#pragma once

#include <memory>

#include "rtl_ref/scoreboard/pins.h"

namespace gt200::rtl {

inline constexpr scoreboard_size hazard_unit_size{24, 3};
std::unique_ptr<scoreboard_pins> make_hazard_unit();
std::unique_ptr<scoreboard_pins> make_registered_hazard_unit();

}  // namespace gt200::rtl
