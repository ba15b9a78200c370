// arbiter_pins on a class made by Verilator from issue_arbiter.sv. Copy this file to plug in RTL with other ports:
// docs/cosimulation.md.
//
// Includes no SystemC header: Verilator's headers would have to come before them, and this way they never meet.
#pragma once

#include "rtl_ref/issue_arbiter/pins.h"
#include "rtl_ref/pin_bits.h"

namespace gt200::rtl {

// `module`: the Verilated class; `warps`: its parameter WARPS.
template <class module, unsigned warps>
class verilated_arbiter : public arbiter_pins {
 public:
  verilated_arbiter() {
    top_.reset = 1;
    top_.eval();
    edge();
    top_.reset = 0;
  }

  int grant(std::uint64_t requests) override {
    top_.clk = 0;
    set_field(top_.request, 0, warps, requests);
    top_.eval();
    granted_ = top_.grant_valid != 0 ? static_cast<int>(top_.grant_warp) : nobody;
    return granted_;
  }

  // The requests at the pins may have changed since the grant: others read the order in between.
  void accept(unsigned warp) override {
    if (granted_ != static_cast<int>(warp)) grant(std::uint64_t{1} << warp);
    top_.accept = 1;
  }

  void start(unsigned warp) override { set_field(top_.start, warp, 1, 1); }

  void edge() override {
    rising_edge(top_, top_.clk);
    top_.accept = 0;
    top_.start = 0;
    granted_ = nobody;
  }

  VerilatedContext& context() { return context_; }  // for coverage

 private:
  VerilatedContext context_;
  module top_{&context_};
  int granted_ = nobody;  // for the requests at the pins
};

}  // namespace gt200::rtl
