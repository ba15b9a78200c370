// Instruction cache of an SM (L1).
//
// Delivers one or two instructions per core cycle. A miss allocates an MSHR, and the warp waits while other warps
// continue. Misses of several warps to one line merge. Fetches of one warp are delivered in order.
// Lines hold the bytes that came from memory. Predecoding tells fetch the length of instructions in present lines.
// Beside its words a line keeps the descriptors of the instructions that were read from it.
// 4 KB, 4-way, 256-byte lines: Wong 2010. Misses go through a base-protocol port to the TPC's L2, one line per
// request.
#pragma once

#include <cstdint>
#include <vector>

#include "sc_models/cache/cache_control_if.h"
#include "sc_models/cache/fill_latencies.h"
#include "sc_models/cache/l1_lines.h"
#include "sc_models/config/sm_config.h"
#include "sc_models/memory_transaction.h"
#include "sc_models/sm/front_end/decoded_instructions.h"
#include "sc_models/sm/interfaces.h"
#include "sc_models/sm/stage_tokens.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/memory_port.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/registered_signal.h"
#include "tlm_bus/signals.h"
#include "tlm_bus/stage.h"

namespace gt200::model {

class joined_front_end;

class icache final : public tlm_bus::stage,
                     public tlm_bus::signal_source,
                     public icache_predecode_if,
                     public icache_cause_if,
                     public cache_control_if {
 public:
  tlm_bus::pipe_in<fetch_token> requests;                  // from fetch
  tlm_bus::pipe_out<fetched_token> out;                    // to decode
  tlm_bus::memory_initiator<tlm_bus::base_protocol> fill;  // to the TPC's instruction and constant L2

  tlm_bus::counter hits{"hits", "fetches", "fetches whose line was present"};
  tlm_bus::counter misses{"misses", "fetches", "fetches that reserved an MSHR, or found none free"};
  tlm_bus::counter merged{"merged", "fetches",
                          "fetches that waited for a line on its way, or behind an older one of their warp"};
  tlm_bus::counter fills{"fills", "lines", "lines read from the L2"};
  tlm_bus::counter mshr_cycles{"mshr_cycles", "MSHR cycles", "busy MSHRs summed over the core cycles"};
  tlm_bus::counter mshr_full{"mshr_full", "fetches", "fetches that found no MSHR free"};

  fill_latencies latencies;

  icache(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const config::sm_config& config,
         decoded_instructions& instructions, const memory_extension& origin, bool perfect = false);

  void tick() override;
  void publish(tlm_bus::signal_writer& to) override;

  predecoded predecode(const grid_descriptor& grid, isa::code_address pc, known_line& line) override {
    settle();
    const isa::code_address place = pc - line.first;
    if (place < line.bytes && line.version == lines_.version() && place % 4 == 0) {
      const instruction_descriptor* const found = line.instructions[place / 4];
      if (found != nullptr && place + found->length <= line.bytes)
        return {found->length, line.line, line.version, found};
    }
    return look_up_code(grid, pc, line);
  }
  const warp_signal& missing() const override { return missing_; }

  // From the next cycle on, no line that is present or in flight serves a look-up.
  void invalidate() override;

  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "icache"; }

 private:
  friend class joined_front_end;
  // Installs a line that arrived in an earlier cycle. Called before every look-up, so the order of callers does not
  // matter.
  void settle() {
    const tlm_bus::cycle_t busy = lines_.settle(cycle());
    if (busy != 0) mshr_cycles += busy;
  }
  // The line of a device address if it was present at the last edge, else no_line.
  line_index find(std::uint64_t address) {
    settle();
    return lines_.find(address);
  }
  // The instruction at `address`, which is in `line` and at `pc` of its kernel.
  const instruction_descriptor& instruction_at(line_index line, std::uint64_t address, isa::code_address pc) {
    if (decoded_version_ != lines_.version()) forget_replaced();
    const instruction_descriptor* const known =
        decoded_[line * words_per_line_ + (address & (line_bytes_ - 1)) / 4];
    return known != nullptr && is_regular(address, pc) ? *known : decode(line, address, pc);
  }
  // The place in the line says how the instruction is aligned in its kernel, and it begins with a word.
  static bool is_regular(std::uint64_t address, isa::code_address pc) {
    return ((pc ^ address) & (4 * isa::max_instruction_words - 1)) == 0 && address % 4 == 0;
  }
  const instruction_descriptor& decode(line_index line, std::uint64_t address, isa::code_address pc);
  void forget_replaced();
  predecoded look_up_code(const grid_descriptor& grid, isa::code_address pc, known_line& line);
  void know(const grid_descriptor& grid, std::uint64_t address, line_index line, known_line& to) const;
  // A fetch as read: the token, and the line of its first instruction; no_line: there is none.
  struct reading {
    fetched_token fetched;
    line_index line = no_line;
  };
  bool knows(const fetch_token& token);
  static void begin_answer(const fetch_token& token, fetched_token& fetched);
  bool read(const fetch_token& token, reading& result, std::uint64_t& missing_address);
  void deliver(const reading& result);
  // The links: pipes, or those of the joined front end.
  const fetch_token* next_request();
  void take_request();
  bool can_hand_on();
  template <class Fill>
  void hand_on(const Fill& set);
  void run();
  // No fetch waits, and no line is on its way.
  bool is_idle() const { return waiting_.empty() && lines_.is_idle(); }
  bool hand_on_known(const fetch_token& token);
  bool deliver_waiting();
  void look_up_new(bool delivered);
  void take_fill();
  void set_missing(warp_slot warp, bool value);

  decoded_instructions& instructions_;
  joined_front_end* step_ = nullptr;    // does the work of a tick, if not null
  joined_front_end* joined_ = nullptr;  // has the links
  std::uint32_t line_bytes_;
  std::uint32_t words_per_line_;
  l1_lines lines_;
  // The instructions that begin with the words of the lines, as far as they are known, and the contents that they
  // belong to: version() and, by line, fills(). They are not part of the machine.
  std::uint32_t decoded_version_ = 0;
  std::vector<const instruction_descriptor*> decoded_;
  std::vector<std::uint32_t> decoded_fills_;
  std::vector<fetch_token> waiting_;  // in order of arrival; at most one fetch queue's worth per warp
  warp_signal missing_;
  warp_mask waiting_warps_ = 0;
};

}  // namespace gt200::model
