// scoreboard_pins on a class made by Verilator from scoreboard.sv. Copy this file to plug in RTL with other ports:
// docs/cosimulation.md.
//
// Includes no SystemC header: Verilator's headers would have to come before them, and this way they never meet.
#pragma once

#include <stdexcept>
#include <string>

#include "rtl_ref/pin_bits.h"
#include "rtl_ref/scoreboard/pin_layout.h"
#include "rtl_ref/scoreboard/pins.h"

namespace gt200::rtl {

// `module`: the Verilated class; `size_of_module`: its parameters WARPS and ENTRIES. The other parameters have
// their defaults.
template <class module, unsigned warps, unsigned entries>
class verilated_scoreboard : public scoreboard_pins, private scoreboard_pin_layout {
 public:
  verilated_scoreboard() {
    top_.reset = 1;
    top_.eval();
    edge();
    top_.reset = 0;
  }

  unsigned release_ports() const override { return releases; }
  answer enter(unsigned warp, const isa::instruction& instruction) override {
    if (entered_ == lookups)
      throw std::logic_error("scoreboard pins: more than " + std::to_string(lookups) + " look-ups in a cycle");
    const unsigned port = entered_;
    top_.clk = 0;
    set_field(top_.enter_valid, port, 1, 1);
    set_field(top_.enter_warp, port * warp_bits, warp_bits, warp);
    set_field(top_.enter_count, port * count_bits, count_bits, instruction.write_count);
    for (unsigned i = 0; i < sources; ++i)
      set_field(top_.enter_sources, (port * sources + i) * operand_bits, operand_bits,
                i < instruction.read_count ? operand(instruction.reads[i]) : 0);
    for (unsigned i = 0; i < destinations; ++i)
      set_field(top_.enter_destinations, (port * destinations + i) * operand_bits, operand_bits,
                i < instruction.write_count ? operand(instruction.writes[i]) : 0);
    top_.eval();
    answer result;
    result.accepted = field(top_.enter_accepted, port, 1) != 0;
    result.dependencies = field(top_.enter_dependencies, port * entries, entries);
    result.allocated = field(top_.enter_allocated, port * entries, entries);
    if (result.accepted) ++entered_;  // a refused look-up changes nothing: the next one takes its port
    return result;
  }

  std::uint64_t release(unsigned warp, std::uint64_t released) override {
    if (released_ == releases)
      throw std::logic_error("scoreboard pins: more than " + std::to_string(releases) + " releases in a cycle");
    const unsigned port = released_++;
    top_.clk = 0;
    set_field(top_.release_valid, port, 1, 1);
    set_field(top_.release_warp, port * warp_bits, warp_bits, warp);
    set_field(top_.release_entries, port * entries, entries, released);
    top_.eval();
    return field(top_.clear_entries, port * entries, entries);
  }

  std::uint64_t squash(unsigned warp, std::uint64_t squashed) override {
    if (top_.squash_valid != 0) throw std::logic_error("scoreboard pins: two squashes in a cycle");
    top_.clk = 0;
    top_.squash_valid = 1;
    set_field(top_.squash_warp, 0, warp_bits, warp);
    set_field(top_.squash_entries, 0, entries, squashed);
    top_.eval();
    return field(top_.clear_entries, releases * entries, entries);
  }

  std::uint64_t flush(unsigned warp) override {
    if (top_.flush_valid != 0) throw std::logic_error("scoreboard pins: two flushes in a cycle");
    top_.clk = 0;
    top_.flush_valid = 1;
    set_field(top_.flush_warp, 0, warp_bits, warp);
    top_.eval();
    return field(top_.clear_entries, (releases + 1) * entries, entries);
  }

  bool full_next(unsigned warp) const override { return field(top_.full_next, warp, 1) != 0; }

  // The answers have been read by now. The next call lowers the clock together with its own inputs.
  void edge() override {
    rising_edge(top_, top_.clk);
    top_.enter_valid = 0;
    top_.release_valid = 0;
    top_.squash_valid = 0;
    top_.flush_valid = 0;
    entered_ = released_ = 0;
  }

  region inspect(unsigned warp) override {
    set_field(top_.inspect_warp, 0, warp_bits, warp);
    top_.eval();
    region result;
    result.taken_whole = top_.inspect_region != 0;
    result.pending = field(top_.inspect_pending, 0, entries);
    for (unsigned e = 0; e < entries; ++e) {
      if ((result.pending >> e & 1) == 0) continue;
      const auto range = static_cast<unsigned>(field(top_.inspect_ranges, e * range_bits, range_bits));
      result.entries.push_back({e, range_of(range)});
    }
    return result;
  }

  void show(scoreboard_pins::viewer& to) const override {
    for (unsigned p = 0; p < lookups; ++p) {
      const bool used = field(top_.enter_valid, p, 1) != 0;
      const auto pin = [&](const char* name, const auto& pins, unsigned bits) {
        to.pin(name, bits, used ? field(pins, p * bits, bits) : 0);
      };
      to.port("enter", p);
      to.pin("valid", 1, used ? 1 : 0);
      pin("warp", top_.enter_warp, warp_bits);
      pin("count", top_.enter_count, count_bits);
      pin("accepted", top_.enter_accepted, 1);
      pin("dependencies", top_.enter_dependencies, entries);
      pin("allocated", top_.enter_allocated, entries);
    }
    for (unsigned p = 0; p < releases; ++p) {
      const bool used = field(top_.release_valid, p, 1) != 0;
      to.port("release", p);
      to.pin("valid", 1, used ? 1 : 0);
      to.pin("warp", warp_bits, used ? field(top_.release_warp, p * warp_bits, warp_bits) : 0);
      to.pin("entries", entries, used ? field(top_.release_entries, p * entries, entries) : 0);
      to.pin("clear", entries, used ? field(top_.clear_entries, p * entries, entries) : 0);
    }
    to.no_port();
    to.pin("full_next", warps, field(top_.full_next, 0, warps));
  }

  VerilatedContext& context() { return context_; }  // for coverage

 private:
  static constexpr unsigned warp_bits = bits_for(warps);

  VerilatedContext context_;
  module top_{&context_};
  unsigned entered_ = 0;  // look-up ports used in this cycle
  unsigned released_ = 0;
};

}  // namespace gt200::rtl
