// The transactions between the scoreboard and the stages that use it. Each is one call in the cycle of its sender
// (tlm_bus/transaction.h), with what the pins of the scoreboard's RTL carry (rtl_ref/scoreboard/pins.h).
//
// An instruction stands for its registers: `reads` are the sources of a look-up and `writes` its destinations, as
// ranges, with `write_count` as the number of entries it takes. It lives as long as the SM.
#pragma once

#include <cstdint>

#include "sc_models/slots.h"
#include "toolchain/isa/common/instruction.h"

namespace gt200::tlm_bus {
class signal_writer;
struct event_details;
}  // namespace gt200::tlm_bus

namespace gt200::model {

struct lookup_answer {
  bool entered = false;  // false: no entry is free, and nothing has changed
  std::uint64_t dependencies = 0;
  std::uint64_t allocated = 0;
};

// Decode -> scoreboard: an instruction is tracked from now on, all of its destinations or none. In program order of
// the warp.
struct scoreboard_lookup {
  warp_slot warp;
  const isa::instruction* instruction = nullptr;
  isa::code_address pc = 0;
  // Not set if the scoreboard has a look-up latency: then it is fetched with the next transaction.
  lookup_answer answer;
  bool answered_later = false;
};
// A look-up that finds no room changes nothing, and is made again.
inline bool has_effect(const scoreboard_lookup& lookup) { return lookup.answer.entered || lookup.answered_later; }
void show(tlm_bus::signal_writer& to, const scoreboard_lookup& lookup);
// Event details: warp, pc, whether it entered, dependencies, allocated entries.
void describe(tlm_bus::event_details& event, const scoreboard_lookup& lookup);

// Decode -> scoreboard, with a look-up latency: fetches the answer to the warp's look-up, that many cycles after it
// or later. The warp's next look-up follows after that.
struct scoreboard_answer {
  warp_slot warp;
  lookup_answer answer;
};
void show(tlm_bus::signal_writer& to, const scoreboard_answer& fetched);
// Event details: warp, whether it entered, dependencies, allocated entries.
void describe(tlm_bus::event_details& event, const scoreboard_answer& fetched);

// Issue -> scoreboard: the oldest buffered instruction of the warp issues and is about to leave the buffer.
struct scoreboard_allocation {
  std::uint64_t id = 0;  // of the instruction
  warp_slot warp;
  std::uint64_t entries = 0;  // the answer: to release at its write-back
};
void show(tlm_bus::signal_writer& to, const scoreboard_allocation& allocation);
// Event details: warp, entries.
void describe(tlm_bus::event_details& event, const scoreboard_allocation& allocation);

// Write-back -> scoreboard: the instruction is complete. Also sent if it holds no entry.
struct scoreboard_release {
  std::uint64_t id = 0;
  warp_slot warp;
  const isa::instruction* instruction = nullptr;
  std::uint64_t entries = 0;
};
void show(tlm_bus::signal_writer& to, const scoreboard_release& release);
// Event details: warp, entries.
void describe(tlm_bus::event_details& event, const scoreboard_release& release);

}  // namespace gt200::model
