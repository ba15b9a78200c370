// Around the pins of the reference's RTL, whose answer to a look-up it turns into a refusal.
#pragma once

#include "rtl_ref/scoreboard/verilated_pins.h"

namespace gt200::rtl {

template <class module, unsigned warps, unsigned entries>
class refusing_scoreboard final : public verilated_scoreboard<module, warps, entries> {
 public:
  scoreboard_pins::answer enter(unsigned, const isa::instruction&) override { return {}; }
};

}  // namespace gt200::rtl
