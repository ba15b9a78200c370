// Template for the class around the pins of your own RTL: coalescer_pins on the Verilated merge_unit.sv.
// docs/cosimulation.md says how to put it into the chip.
#pragma once

#include "rtl_ref/coalescer/pins.h"
#include "rtl_ref/pin_bits.h"

namespace gt200::rtl {

// `module`: the Verilated class; `rule`: that of the configuration.
template <class module, unsigned rule>
class merge_unit_pins : public coalescer_pins {
  static_assert(rule == static_cast<unsigned>(coalescer_rule::cc_1_2), "merge_unit.sv has rule 1.2 only");

 public:
  merge_unit_pins() {
    top_.rst_ni = 0;
    top_.eval();
    edge();
    top_.rst_ni = 1;
  }

  void offer(const half_warp& half) override {
    top_.clk_i = 0;
    top_.req_vld_i = 1;
    for (unsigned n = 0; n < lanes; ++n) set_field(top_.req_addr_i, n * 32, 32, half.address[n]);
    top_.req_en_i = half.active;
    set_field(top_.req_word_i, 0, 5, half.word_bytes);
    top_.req_rmw_i = half.separate ? 1 : 0;
  }

  transaction next(bool ready) override {
    top_.clk_i = 0;
    top_.seg_rdy_i = ready ? 1 : 0;
    top_.eval();
    return {top_.seg_vld_o != 0, top_.seg_addr_o,     top_.seg_len_o,
            top_.seg_en_o,       top_.seg_seq_o != 0, top_.seg_end_o != 0};
  }

  // The unit has taken the half-warp in the cycle in which it was offered.
  void edge() override {
    rising_edge(top_, top_.clk_i);
    top_.req_vld_i = 0;
    top_.seg_rdy_i = 0;
  }

  std::uint16_t lanes_left() const override { return top_.dbg_left_o; }

 private:
  VerilatedContext context_;
  module top_{&context_};
};

}  // namespace gt200::rtl
