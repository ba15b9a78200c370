// Template for the class around the pins of your own RTL: scoreboard_pins on the Verilated hazard_unit.sv.
// docs/cosimulation.md says how to put it into the chip.
#pragma once

#include <stdexcept>

#include "rtl_ref/pin_bits.h"
#include "rtl_ref/pin_widths.h"
#include "rtl_ref/scoreboard/pins.h"

namespace gt200::rtl {

// `module`: the Verilated class for these numbers of warps and slots.
template <class module, unsigned warps, unsigned slots>
class hazard_unit_pins : public scoreboard_pins {
 public:
  hazard_unit_pins() {
    top_.rst_ni = 0;
    top_.eval();
    edge();
    top_.rst_ni = 1;
  }

  unsigned release_ports() const override { return 9; }
  answer enter(unsigned warp, const isa::instruction& instruction) override {
    const answer result = answer_at(drive(warp, instruction));
    if (result.accepted) ++entered_;  // otherwise the next look-up takes this port
    return result;
  }

  std::uint64_t release(unsigned warp, std::uint64_t entries) override {
    if (released_ == release_ports()) throw std::logic_error("hazard unit: more than 9 releases in a cycle");
    return write_back(released_++, warp, entries);
  }
  std::uint64_t squash(unsigned warp, std::uint64_t entries) override { return write_back(9, warp, entries); }
  std::uint64_t flush(unsigned warp) override {
    top_.clk_i = 0;
    top_.kill_req_i = 1;
    set_field(top_.kill_wid_i, 0, wid, warp);
    top_.eval();
    return field(top_.kill_clear_o, 0, slots);
  }

  bool full_next(unsigned warp) const override { return field(top_.full_next_o, warp, 1) != 0; }

  void edge() override {
    rising_edge(top_, top_.clk_i);
    top_.dec_req_i = 0;
    top_.wb_req_i = 0;
    top_.kill_req_i = 0;
    entered_ = released_ = 0;
  }

  region inspect(unsigned warp) override {
    set_field(top_.dbg_wid_i, 0, wid, warp);
    top_.eval();
    region result;
    result.taken_whole = top_.dbg_sealed_o != 0;
    result.pending = field(top_.dbg_busy_o, 0, slots);
    for (unsigned s = 0; s < slots; ++s)
      if ((result.pending >> s & 1) != 0)
        result.entries.push_back({s, range_of(static_cast<unsigned>(field(top_.dbg_first_o, s * 8, 8)),
                                              static_cast<unsigned>(field(top_.dbg_last_o, s * 8, 8)))});
    return result;
  }

 protected:
  // Drives the look-up into the next port and returns that port.
  unsigned drive(unsigned warp, const isa::instruction& instruction) {
    if (entered_ == 3) throw std::logic_error("hazard unit: more than 3 requests of decode in a cycle");
    const unsigned port = entered_;
    top_.clk_i = 0;
    set_field(top_.dec_req_i, port, 1, 1);
    set_field(top_.dec_wid_i, port * wid, wid, warp);
    set_field(top_.dec_src_en_i, port * 8, 8, ones(instruction.read_count));
    for (unsigned n = 0; n < instruction.read_count; ++n) {
      set_field(top_.dec_src_first_i, (port * 8 + n) * 8, 8, first_of(instruction.reads[n]));
      set_field(top_.dec_src_last_i, (port * 8 + n) * 8, 8, last_of(instruction.reads[n]));
    }
    set_field(top_.dec_dst_en_i, port * 4, 4, ones(instruction.write_count));
    for (unsigned n = 0; n < instruction.write_count; ++n) {
      set_field(top_.dec_dst_first_i, (port * 4 + n) * 8, 8, first_of(instruction.writes[n]));
      set_field(top_.dec_dst_last_i, (port * 4 + n) * 8, 8, last_of(instruction.writes[n]));
    }
    top_.eval();
    return port;
  }
  answer answer_at(unsigned port) const {
    return {field(top_.dec_gnt_o, port, 1) != 0, field(top_.dec_wait_o, port * slots, slots),
            field(top_.dec_slots_o, port * slots, slots)};
  }
  // Lets the outputs follow changed inputs.
  void settle() { top_.eval(); }
  unsigned entered_ = 0;  // ports of decode used in this cycle

 private:
  static constexpr unsigned wid = bits_for(warps);
  // $r starts at 0, $a at 160, $c at 192: no range reaches from one file into the next.
  static unsigned first_of(const isa::register_range& r) {
    switch (r.file) {
      case isa::register_file_kind::gpr: return r.first;
      case isa::register_file_kind::address: return 160u + r.first;
      case isa::register_file_kind::condition: break;
    }
    return 192u + r.first;
  }
  static unsigned last_of(const isa::register_range& r) { return first_of(r) + r.count - 1; }
  static isa::register_range range_of(unsigned first, unsigned last) {
    isa::register_range r{isa::register_file_kind::gpr, static_cast<std::uint8_t>(first),
                          static_cast<std::uint8_t>(last - first + 1)};
    if (first >= 192)
      r = {isa::register_file_kind::condition, static_cast<std::uint8_t>(first - 192), r.count};
    else if (first >= 160)
      r = {isa::register_file_kind::address, static_cast<std::uint8_t>(first - 160), r.count};
    return r;
  }
  std::uint64_t write_back(unsigned port, unsigned warp, std::uint64_t entries) {
    top_.clk_i = 0;
    set_field(top_.wb_req_i, port, 1, 1);
    set_field(top_.wb_wid_i, port * wid, wid, warp);
    set_field(top_.wb_slots_i, port * slots, slots, entries);
    top_.eval();
    return field(top_.wb_clear_o, port * slots, slots);
  }

  VerilatedContext context_;
  module top_{&context_};
  unsigned released_ = 0;
};

}  // namespace gt200::rtl
