// Half-warps and transactions at the pins of a coalescer as text, for reports.
#pragma once

#include <string>

#include "rtl_ref/coalescer/pins.h"

namespace gt200::model {

// "64 bytes at 0x2040, lanes 0x00ff, in sequence, last", or "none".
std::string text_of(const rtl::coalescer_pins::transaction& transaction);
// "words of 4 bytes, lanes 0xffff, by rule 1.2", or "separate words of 4 bytes, lanes 0xffff".
std::string text_of(const rtl::coalescer_pins::half_warp& half, rtl::coalescer_rule rule);
// The addresses of the active lanes, two lines.
std::string addresses_of(const rtl::coalescer_pins::half_warp& half);

}  // namespace gt200::model
