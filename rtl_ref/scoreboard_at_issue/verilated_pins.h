// scoreboard_at_issue_pins on a class made by Verilator from scoreboard_at_issue.sv. Copy this file to plug in RTL
// with other ports: docs/cosimulation.md.
//
// Includes no SystemC header: Verilator's headers would have to come before them, and this way they never meet.
#pragma once

#include <stdexcept>
#include <string>

#include "rtl_ref/pin_bits.h"
#include "rtl_ref/scoreboard/pin_layout.h"
#include "rtl_ref/scoreboard_at_issue/pins.h"

namespace gt200::rtl {

// `module`: the Verilated class; then its parameters WARPS, ENTRIES and BUFFER. The other parameters have their
// defaults.
template <class module, unsigned warps, unsigned entries, unsigned buffer>
class verilated_scoreboard_at_issue : public scoreboard_at_issue_pins, private scoreboard_pin_layout {
 public:
  verilated_scoreboard_at_issue() {
    top_.reset = 1;
    top_.eval();
    edge();
    top_.reset = 0;
  }

  unsigned issue_ports() const override { return issues; }
  unsigned release_ports() const override { return releases; }

  answer enter(unsigned warp, const isa::instruction& instruction) override {
    const unsigned port = next(entered_, lookups_of_a_cycle, "look-ups");
    top_.clk = 0;
    set_field(top_.enter_valid, port, 1, 1);
    set_field(top_.enter_warp, port * warp_bits, warp_bits, warp);
    set_field(top_.enter_count, port * count_bits, count_bits, instruction.write_count);
    set_operands(top_.enter_operands, port, instruction);
    top_.eval();
    return {field(top_.enter_dependencies, port * entries, entries), field(top_.enter_room, port, 1) != 0};
  }

  allocation issue(unsigned warp, const isa::instruction& instruction, const instruction_list& list) override {
    const unsigned port = next(issued_, issues, "instructions that issue");
    require_room(list.size(), buffer - 1);
    top_.clk = 0;
    set_field(top_.issue_valid, port, 1, 1);
    set_field(top_.issue_warp, port * warp_bits, warp_bits, warp);
    set_field(top_.issue_count, port * count_bits, count_bits, instruction.write_count);
    for (unsigned i = 0; i < destinations; ++i)
      set_field(top_.issue_destinations, (port * destinations + i) * operand_bits, operand_bits,
                i < instruction.write_count ? operand(instruction.writes[i]) : 0);
    for (unsigned y = 0; y < younger; ++y) {
      const unsigned place = port * younger + y;
      const bool there = y < list.size();
      set_field(top_.issue_younger_valid, place, 1, there ? 1 : 0);
      set_field(top_.issue_younger_count, place * count_bits, count_bits, there ? list[y]->write_count : 0);
      set_operands(top_.issue_younger_operands, place, there ? *list[y] : isa::instruction());
    }
    top_.eval();
    allocation result;
    result.taken = field(top_.issue_allocated, port * entries, entries);
    for (unsigned y = 0; y < list.size(); ++y) {
      const unsigned place = port * younger + y;
      result.younger.push_back(
          {field(top_.issue_dependencies, place * entries, entries), field(top_.issue_room, place, 1) != 0});
    }
    return result;
  }

  completion release(unsigned warp, std::uint64_t released, const instruction_list& list) override {
    const unsigned port = next(released_, releases, "releases");
    require_room(list.size(), buffer);
    top_.clk = 0;
    set_field(top_.release_valid, port, 1, 1);
    set_field(top_.release_warp, port * warp_bits, warp_bits, warp);
    set_field(top_.release_entries, port * entries, entries, released);
    for (unsigned b = 0; b < buffer; ++b)
      set_field(top_.release_waiting_count, (port * buffer + b) * count_bits, count_bits,
                b < list.size() ? list[b]->write_count : 0);
    top_.eval();
    completion result;
    result.cleared = field(top_.clear_entries, port * entries, entries);
    for (unsigned b = 0; b < list.size(); ++b)
      result.room.push_back(field(top_.release_room, port * buffer + b, 1) != 0);
    return result;
  }

  bool full_next(unsigned warp) const override { return field(top_.full_next, warp, 1) != 0; }

  // The answers have been read by now. The next call lowers the clock together with its own inputs.
  void edge() override {
    rising_edge(top_, top_.clk);
    top_.enter_valid = 0;
    top_.issue_valid = 0;
    top_.release_valid = 0;
    entered_ = issued_ = released_ = 0;
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

  void show(viewer& to) const override {
    const auto show_port = [&](const char* kind, unsigned port, const auto& valid) {
      const bool used = field(valid, port, 1) != 0;
      to.port(kind, port);
      to.pin("valid", 1, used ? 1 : 0);
      return [&to, used](const char* name, const auto& pins, unsigned at, unsigned bits) {
        to.pin(name, bits, used ? field(pins, at * bits, bits) : 0);
      };
    };
    for (unsigned p = 0; p < lookups_of_a_cycle; ++p) {
      const auto pin = show_port("enter", p, top_.enter_valid);
      pin("warp", top_.enter_warp, p, warp_bits);
      pin("count", top_.enter_count, p, count_bits);
      pin("dependencies", top_.enter_dependencies, p, entries);
      pin("room", top_.enter_room, p, 1);
    }
    for (unsigned p = 0; p < issues; ++p) {
      const auto pin = show_port("issue", p, top_.issue_valid);
      pin("warp", top_.issue_warp, p, warp_bits);
      pin("count", top_.issue_count, p, count_bits);
      pin("allocated", top_.issue_allocated, p, entries);
      pin("younger", top_.issue_younger_valid, p, younger);
      pin("room", top_.issue_room, p, younger);
    }
    for (unsigned p = 0; p < releases; ++p) {
      const auto pin = show_port("release", p, top_.release_valid);
      pin("warp", top_.release_warp, p, warp_bits);
      pin("entries", top_.release_entries, p, entries);
      pin("clear", top_.clear_entries, p, entries);
      pin("room", top_.release_room, p, buffer);
    }
    to.no_port();
    to.pin("full_next", warps, field(top_.full_next, 0, warps));
  }

  VerilatedContext& context() { return context_; }  // for coverage

 private:
  static constexpr unsigned warp_bits = bits_for(warps);
  static constexpr unsigned lookups_of_a_cycle = 2;
  static constexpr unsigned issues = 2;
  static constexpr unsigned younger = buffer > 1 ? buffer - 1 : 1;
  static constexpr unsigned operands = sources + destinations;

  static unsigned next(unsigned& used, unsigned ports, const char* what) {
    if (used == ports)
      throw std::logic_error("scoreboard pins: more than " + std::to_string(ports) + " " + what + " in a cycle");
    return used++;
  }
  static void require_room(std::size_t instructions, unsigned most) {
    if (instructions > most)
      throw std::logic_error("scoreboard pins: " + std::to_string(instructions) +
                             " instructions of a warp, and a buffer of " + std::to_string(buffer));
  }
  template <class Pins>
  static void set_operands(Pins& pins, unsigned place, const isa::instruction& instruction) {
    for (unsigned i = 0; i < sources; ++i)
      set_field(pins, (place * operands + i) * operand_bits, operand_bits,
                i < instruction.read_count ? operand(instruction.reads[i]) : 0);
    for (unsigned i = 0; i < destinations; ++i)
      set_field(pins, (place * operands + sources + i) * operand_bits, operand_bits,
                i < instruction.write_count ? operand(instruction.writes[i]) : 0);
  }

  VerilatedContext context_;
  module top_{&context_};
  unsigned entered_ = 0;  // ports used in this cycle
  unsigned issued_ = 0;
  unsigned released_ = 0;
};

}  // namespace gt200::rtl
