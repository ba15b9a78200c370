// sp_pins on a class made by Verilator from sp.sv. Copy this file to plug in RTL with other ports:
// docs/cosimulation.md.
//
// Includes no SystemC header: Verilator's headers would have to come before them, and this way they never meet.
#pragma once

#include <stdexcept>

#include "rtl_ref/pin_bits.h"
#include "rtl_ref/sp/pins.h"

namespace gt200::rtl {

// `module`: the Verilated class; `stages`: its parameter DEPTH.
template <class module, unsigned stages>
class verilated_sp : public sp_pins {
 public:
  verilated_sp() {
    top_.reset = 1;
    edge();
    top_.reset = 0;
  }

  unsigned depth() const override { return stages; }

  void start(const sp_control& control, const lane_operands& operands) override {
    if (top_.start != 0) throw std::logic_error("SP pins: two operations in a cycle");
    top_.start = 1;
    top_.control = bits_of(control);
    top_.source_0 = operands.source[0];
    top_.source_1 = operands.source[1];
    top_.source_2 = operands.source[2];
    top_.flags_in = operands.flags_in & 0xf;
    top_.address_in = operands.address_in;
  }

  // No output depends on an input of the same cycle, so start() needs no evaluation.
  void edge() override {
    rising_edge(top_, top_.clk);
    top_.start = 0;
    if (top_.done == 0) return;
    result_.destination = top_.value;
    result_.flags_out = static_cast<std::uint8_t>(top_.flags);
    result_.address_out = static_cast<std::uint16_t>(top_.address);
  }

  const lane_result* result() const override { return top_.done != 0 ? &result_ : nullptr; }

  VerilatedContext& context() { return context_; }  // for coverage

 private:
  // The packed structure control_fields of sp_types.sv, from its last field, at bit 0, to its first.
  static std::uint64_t bits_of(const sp_control& c) {
    std::uint64_t bits = 0;
    unsigned at = 0;
    const auto append = [&](unsigned width, unsigned value) {
      bits |= std::uint64_t{value} << at;
      at += width;
    };
    append(2, c.result_size);
    append(2, c.source_size);
    append(1, c.integral ? 1 : 0);
    append(2, c.rounding);
    append(4, c.compare);
    append(2, c.product);
    append(2, c.bitwise);
    append(2, c.combine);
    append(2, c.invert);
    append(2, c.absolute);
    append(3, c.negate);
    append(1, c.saturate ? 1 : 0);
    append(1, c.source_signed ? 1 : 0);
    append(1, c.y_signed ? 1 : 0);
    append(1, c.is_signed ? 1 : 0);
    append(1, c.narrow ? 1 : 0);
    append(5, static_cast<unsigned>(c.operation));
    return bits;
  }

  VerilatedContext context_;
  module top_{&context_};
  lane_result result_;
};

}  // namespace gt200::rtl
