// The tokens between the stages of an SM, in the order the work flows.
#pragma once

#include <cstdint>

#include "sc_models/grid_descriptor.h"
#include "sc_models/slots.h"
#include "sc_models/warp_instruction.h"
#include "toolchain/arch_state/divergence.h"
#include "toolchain/isa/common/instruction.h"

namespace gt200::model {

inline constexpr unsigned max_instructions_per_fetch = 2;

// Warps belong to the issue schedulers by slot number modulo `schedulers` (1 or 2).
constexpr warp_mask warps_of_scheduler(unsigned scheduler, unsigned schedulers) {
  return schedulers == 1 ? ~warp_mask{0} : warp_mask{0x5555555555555555} << scheduler;
}
constexpr unsigned scheduler_of(warp_slot warp, unsigned schedulers) { return warp.index() % schedulers; }

// Block control -> fetch: a warp begins.
struct start_token {
  warp_slot warp;
  const grid_descriptor* grid = nullptr;
  isa::code_address pc = 0;
};
void show(tlm_bus::signal_writer& to, const start_token& token);
// Event details: warp, pc.
void describe(tlm_bus::event_details& event, const start_token& token);

// Fetch -> instruction cache: read up to `count` instructions from `pc`, one after the other.
struct fetch_token {
  warp_slot warp;
  std::uint8_t epoch = 0;  // of the warp's fetch; a redirect begins a new one and makes older fetches void
  std::uint8_t count = 1;
  bool sequential_known = false;  // fetch knows where the next instruction starts
  bool met = false;               // the paths have met at `pc`, before its instruction
  const grid_descriptor* grid = nullptr;
  isa::code_address pc = 0;
};
void show(tlm_bus::signal_writer& to, const fetch_token& token);
// Event details: warp, pc, instructions.
void describe(tlm_bus::event_details& event, const fetch_token& token);

// Instruction cache -> decode.
struct fetched_token {
  warp_slot warp;
  std::uint8_t epoch = 0;
  std::uint8_t requested = 0;     // instructions asked for, with buffer slots reserved
  std::uint8_t count = 0;         // instructions delivered
  bool invalid_pc = false;        // pc lies outside the code; nothing is delivered
  bool sequential_known = false;  // fetch knew the length and has gone on; otherwise decode tells it
  bool met = false;               // as in the fetch, of the first instruction
  const grid_descriptor* grid = nullptr;
  isa::code_address pc = 0;
  std::uint32_t words[isa::max_instruction_words * max_instructions_per_fetch] = {};  // one after the other
};
void show(tlm_bus::signal_writer& to, const fetched_token& token);
// Event details: warp, pc, instructions.
void describe(tlm_bus::event_details& event, const fetched_token& token);

// Decode -> fetch: what only the decoded instruction tells.
struct fetch_control_token {
  enum class command : std::uint8_t {
    stop,     // the path ends at a control instruction: fetch no further until a redirect
    advance,  // the instruction whose length fetch did not know ends at `pc`: go on there
    restart   // instructions from `pc` on were discarded: fetch them again under a new epoch
  };
  command what = command::stop;
  warp_slot warp;
  std::uint8_t epoch = 0;  // of the fetch it answers; void when the warp has moved on
  isa::code_address pc = 0;
  bool met = false;  // restart: as in the fetch that was discarded
};
void show(tlm_bus::signal_writer& to, const fetch_control_token& token);
// Event details: warp, pc.
void describe(tlm_bus::event_details& event, const fetch_control_token& token);

// Branch unit -> fetch: the warp goes on at `pc`.
struct redirect_token {
  warp_slot warp;
  isa::code_address pc = 0;
  bool met = false;  // the paths have met before the instruction at `pc`
};
void show(tlm_bus::signal_writer& to, const redirect_token& token);
// Event details: warp, pc.
void describe(tlm_bus::event_details& event, const redirect_token& token);

// Branch unit -> stack memory: entries of a warp's stack that one instruction has moved. They are, from the top
// down, [in_memory, in_memory + filled); the one stored is the uppermost of them, or of [.., in_memory) if none is
// loaded.
struct stack_transfer_token {
  warp_slot warp;
  std::uint16_t spilled = 0;  // 0 or 1, before the loads
  std::uint16_t filled = 0;
  std::uint16_t in_memory = 0;  // entries there afterwards
  isa::code_address pc = 0;
  arch_state::stack_words spilled_words = {};
  redirect_token resume;  // where the warp goes on when entries have been loaded
};
void show(tlm_bus::signal_writer& to, const stack_transfer_token& token);
// Event details: warp, pc.
void describe(tlm_bus::event_details& event, const stack_transfer_token& token);

// With join `before`, what issues in place of an instruction with join when a path comes to it: it goes to the
// branch unit, which changes to another path or, when all have come, has the instruction itself fetched again.
inline bool is_meeting(const isa::instruction& instruction) {
  return instruction.unit == isa::unit_class::control && instruction.flow == isa::flow_kind::none;
}

// Issue -> operand collector.
struct issued_token {
  warp_instruction* operation = nullptr;
};
void show(tlm_bus::signal_writer& to, const issued_token& token);
void describe(tlm_bus::event_details& event, const issued_token& token);

// Operand collector -> units, shared memory, memory port, branch unit, barrier: all operands are there.
struct collected_token {
  warp_instruction* operation = nullptr;
};
void show(tlm_bus::signal_writer& to, const collected_token& token);
void describe(tlm_bus::event_details& event, const collected_token& token);

// Operand collector -> branch unit. Carries values, since an instruction with exit or join goes to its own unit as
// well and may be written back first.
struct control_token {
  warp_instruction* operation = nullptr;  // pure control instructions only: to be passed on to write-back
  const isa::instruction* instruction = nullptr;
  isa::code_address pc = 0;
  isa::lane_mask selected = 0;  // active lanes for which the predicate holds
  warp_slot warp;
};
void show(tlm_bus::signal_writer& to, const control_token& token);
// Event details: warp, pc.
void describe(tlm_bus::event_details& event, const control_token& token);

// Units and memories -> write-back.
struct executed_token {
  warp_instruction* operation = nullptr;
};
void show(tlm_bus::signal_writer& to, const executed_token& token);
void describe(tlm_bus::event_details& event, const executed_token& token);

// Upper bounds of unit_list.h, for masks and arrays.
inline constexpr unsigned max_units = 8;
inline constexpr unsigned max_alternatives = 4;

// A class of collector units, as an index: instructions of one class leave the collector in order, classes do not
// wait for each other. Which classes there are: unit_list.h.
enum class collector_class : std::uint8_t {};
constexpr unsigned as_index(collector_class c) { return static_cast<unsigned>(c); }
inline constexpr unsigned max_collector_classes = max_units + 3;

}  // namespace gt200::model
