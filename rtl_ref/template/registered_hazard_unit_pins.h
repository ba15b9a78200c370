// Template for the class around the pins of RTL with registered answers. registered_hazard_unit.sv has the ports of
// hazard_unit.sv and answers a cycle later.
#pragma once

#include "rtl_ref/template/hazard_unit_pins.h"

namespace gt200::rtl {

template <class module, unsigned warps, unsigned slots>
class registered_hazard_unit_pins final : public hazard_unit_pins<module, warps, slots> {
  using base = hazard_unit_pins<module, warps, slots>;

 public:
  using answer = scoreboard_pins::answer;

  unsigned latency() const override { return 1; }
  answer enter(unsigned, const isa::instruction&) override {
    throw std::logic_error("registered hazard unit: a look-up is not answered within the cycle");
  }
  // Each look-up takes its own port, even one that will be refused: that is not known yet.
  unsigned ask(unsigned warp, const isa::instruction& instruction) override {
    const unsigned port = base::drive(warp, instruction);
    ++base::entered_;
    return port;
  }
  answer answered(unsigned port) const override { return base::answer_at(port); }
  // After an edge that only delivers answers, full_next must not show the requests of before the edge.
  void edge() override {
    base::edge();
    base::settle();
  }
};

}  // namespace gt200::rtl
