// Scoreboard entries and registers as text, for reports on RTL and model.
#pragma once

#include <cstdint>
#include <string>

#include "rtl_ref/scoreboard/pins.h"
#include "sc_models/sm/dependency/coon_tracker.h"

namespace gt200::model {

std::string set_of(std::uint64_t entries);              // "{0, 3}"
std::string name_of(const isa::register_range& range);  // "$r3", "$r4-$r7"
// "reads $r1 $r4-$r7, writes nothing"
std::string operands_of(const isa::instruction& instruction);
// What both sides hold of a warp at the last edge, entry by entry; several lines.
std::string contents_of(coon_tracker& model, const rtl::scoreboard_pins::region& rtl, warp_slot warp,
                        unsigned entries);

}  // namespace gt200::model
