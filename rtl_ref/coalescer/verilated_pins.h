// coalescer_pins on a class made by Verilator from coalescer.sv. Copy this file to plug in RTL with other ports:
// docs/cosimulation.md.
//
// Includes no SystemC header: Verilator's headers would have to come before them, and this way they never meet.
#pragma once

#include "rtl_ref/coalescer/pins.h"
#include "rtl_ref/pin_bits.h"

namespace gt200::rtl {

// `module`: the Verilated class, with 32-bit addresses; `rule`: its parameter RULE.
template <class module, unsigned rule>
class verilated_coalescer : public coalescer_pins {
 public:
  verilated_coalescer() {
    top_.reset = 1;
    top_.eval();
    edge();
    top_.reset = 0;
  }

  void offer(const half_warp& half) override {
    top_.clk = 0;
    top_.half_valid = 1;
    for (unsigned n = 0; n < lanes; ++n)
      set_field(top_.half_address, n * address_bits, address_bits, half.address[n]);
    top_.half_lanes = half.active;
    set_field(top_.half_size, 0, size_bits, static_cast<unsigned>(__builtin_ctz(half.word_bytes)));
    top_.half_separate = half.separate ? 1 : 0;
  }

  transaction next(bool ready) override {
    top_.clk = 0;
    top_.transaction_ready = ready ? 1 : 0;
    top_.eval();
    transaction result;
    result.valid = top_.transaction_valid != 0;
    result.address = top_.transaction_address;
    result.bytes = 1u << top_.transaction_size;
    result.lanes = top_.transaction_lanes;
    result.in_sequence = top_.transaction_in_sequence != 0;
    result.last = top_.transaction_last != 0;
    return result;
  }

  // The answers have been read by now. The next call lowers the clock together with its own inputs.
  void edge() override {
    const bool done = top_.half_valid != 0 && top_.half_ready != 0;
    rising_edge(top_, top_.clk);
    top_.transaction_ready = 0;
    if (done) top_.half_valid = 0;
  }

  std::uint16_t lanes_left() const override { return top_.lanes_left; }

  void show(viewer& to) const override {
    const bool waits = top_.half_valid != 0;
    const auto meaningful = [&](std::uint64_t value) { return waits ? value : 0; };
    to.pin("half_valid", 1, top_.half_valid);
    to.pin("half_lanes", lanes, top_.half_lanes);
    to.pin("half_size", size_bits, top_.half_size);
    to.pin("half_separate", 1, top_.half_separate);
    to.pin("half_ready", 1, meaningful(top_.half_ready));
    to.pin("transaction_valid", 1, top_.transaction_valid);
    to.pin("transaction_ready", 1, top_.transaction_ready);
    to.pin("transaction_address", address_bits, meaningful(top_.transaction_address));
    to.pin("transaction_size", size_bits, meaningful(top_.transaction_size));
    to.pin("transaction_lanes", lanes, meaningful(top_.transaction_lanes));
    to.pin("transaction_in_sequence", 1, meaningful(top_.transaction_in_sequence));
    to.pin("transaction_last", 1, meaningful(top_.transaction_last));
    to.pin("lanes_left", lanes, meaningful(top_.lanes_left));
    for (unsigned n = 0; n < lanes; ++n) {
      to.port("lane", n);
      to.pin("address", address_bits, field(top_.half_address, n * address_bits, address_bits));
    }
    to.no_port();
  }

  VerilatedContext& context() { return context_; }  // for coverage

 private:
  static constexpr unsigned address_bits = 32;
  static constexpr unsigned size_bits = 3;

  VerilatedContext context_;
  module top_{&context_};
};

}  // namespace gt200::rtl
