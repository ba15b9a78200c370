// The tokens between the stages of an SM, in the order the work flows.
#pragma once

#include <array>
#include <cstdint>

#include "sc_models/grid_descriptor.h"
#include "sc_models/slots.h"
#include "sc_models/sm/instruction_descriptor.h"
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

// What predecoding says of an instruction, and where: as long as `version` is that of the cache's contents, they
// hold the instruction. That saves the host a second look-up; it is not part of the machine.
struct predecoded {
  unsigned length = 0;                                  // bytes; 0: as the cache says (interfaces.h)
  std::uint32_t line = 0;                               // of the cache
  std::uint32_t version = 0;                            // of its contents
  const instruction_descriptor* instruction = nullptr;  // null: nothing is known
};

// A line of the instruction cache in which a warp has found an instruction: while `version` is that of the cache's
// contents, its next ones need no look-up. That saves the host's time, too; it is not part of the machine.
struct known_line {
  isa::code_address first = 0;  // of the bytes of the code that the line holds, whose number is:
  std::uint32_t bytes = 0;      // 0: no line is known
  std::uint32_t line = 0;
  std::uint32_t version = 0;
  const instruction_descriptor* const* instructions = nullptr;  // by word; null where nothing is known
};

// Fetch -> instruction cache: read up to `count` instructions from `pc`, one after the other.
struct fetch_token {
  warp_slot warp;
  // number of the warp's fetch path; a redirect starts a new epoch and makes older fetches void
  std::uint8_t epoch = 0;
  std::uint8_t count = 1;
  bool sequential_known = false;  // fetch knows the address of the next instruction
  bool met = false;               // the paths have reconverged at `pc`, before its instruction
  bool predecoded = false;        // the rest is known of all `count` instructions
  const grid_descriptor* grid = nullptr;
  isa::code_address pc = 0;
  std::uint32_t line = 0;  // of the first
  std::uint32_t version = 0;
  std::array<const instruction_descriptor*, max_instructions_per_fetch> instructions{};
};
void show(tlm_bus::signal_writer& to, const fetch_token& token);
// Event details: warp, pc, instructions.
void describe(tlm_bus::event_details& event, const fetch_token& token);

// Instruction cache -> decode.
struct fetched_token {
  warp_slot warp;
  std::uint8_t epoch = 0;
  std::uint8_t requested = 0;     // requested instructions; they have reserved buffer slots
  std::uint8_t count = 0;         // instructions delivered
  bool invalid_pc = false;        // pc lies outside the code; nothing is delivered
  bool sequential_known = false;  // fetch knew the length and has continued; otherwise decode reports it
  bool met = false;               // as in the fetch, for the first instruction
  const grid_descriptor* grid = nullptr;
  isa::code_address pc = 0;
  std::array<const instruction_descriptor*, max_instructions_per_fetch> instructions{};  // `count` of them
};
void show(tlm_bus::signal_writer& to, const fetched_token& token);
// Event details: warp, pc, instructions.
void describe(tlm_bus::event_details& event, const fetched_token& token);

// Decode -> fetch: information that only the decoded instruction has.
struct fetch_control_token {
  enum class command : std::uint8_t {
    stop,     // the path ends at a control instruction: no fetch until a redirect
    advance,  // the instruction whose length fetch did not know ends at `pc`: continue there
    restart   // instructions from `pc` on were discarded: fetch them again under a new epoch
  };
  command what = command::stop;
  warp_slot warp;
  std::uint8_t epoch = 0;  // of the fetch that it answers; void if the warp has a newer epoch
  isa::code_address pc = 0;
  bool met = false;  // restart: as in the discarded fetch
};
void show(tlm_bus::signal_writer& to, const fetch_control_token& token);
// Event details: warp, pc.
void describe(tlm_bus::event_details& event, const fetch_control_token& token);

// Branch unit -> fetch: the warp continues at `pc`.
struct redirect_token {
  warp_slot warp;
  isa::code_address pc = 0;
  bool met = false;  // the paths have reconverged before the instruction at `pc`
};
void show(tlm_bus::signal_writer& to, const redirect_token& token);
// Event details: warp, pc.
void describe(tlm_bus::event_details& event, const redirect_token& token);

// Branch unit -> stack memory: the entries of a warp's stack that one instruction has moved. The loaded ones, from
// the top down, are [in_memory, in_memory + filled). The stored one is the uppermost of them, or entry in_memory -
// 1 if none is loaded.
struct stack_transfer_token {
  warp_slot warp;
  std::uint16_t spilled = 0;  // 0 or 1, before the loads
  std::uint16_t filled = 0;
  std::uint16_t in_memory = 0;  // number of entries in memory afterwards
  isa::code_address pc = 0;
  arch_state::stack_words spilled_words = {};
  redirect_token resume;  // where the warp continues after entries have been loaded
};
void show(tlm_bus::signal_writer& to, const stack_transfer_token& token);
// Event details: warp, pc.
void describe(tlm_bus::event_details& event, const stack_transfer_token& token);

// With join `before`, this operation issues in place of an instruction with join when a path arrives at it. It goes
// to the branch unit, which switches to another path or, if all have arrived, has the instruction itself fetched
// again. Where paths take turns, the end of a turn is such an operation in front of any instruction.
inline bool is_meeting(const isa::instruction& instruction) {
  return instruction.unit == isa::unit_class::control && instruction.flow == isa::flow_kind::none;
}

// Issue -> operand collector.
struct issued_token {
  warp_instruction* operation = nullptr;
};
void show(tlm_bus::signal_writer& to, const issued_token& token);
void describe(tlm_bus::event_details& event, const issued_token& token);

// Operand collector -> units, shared memory, memory port, branch unit, barrier: all operands are available.
struct collected_token {
  warp_instruction* operation = nullptr;
};
void show(tlm_bus::signal_writer& to, const collected_token& token);
void describe(tlm_bus::event_details& event, const collected_token& token);

// Operand collector -> branch unit. Contains copies of values, because an instruction with exit or join also goes
// to its own unit and may be written back first.
struct control_token {
  warp_instruction* operation = nullptr;  // only for pure control instructions, which are passed on to write-back
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

// The index of a class of collector units. Instructions of one class leave the collector in order; classes do not
// wait for each other. unit_list.h defines the classes.
enum class collector_class : std::uint8_t {};
constexpr unsigned as_index(collector_class c) { return static_cast<unsigned>(c); }
inline constexpr unsigned max_collector_classes = max_units + 3;

}  // namespace gt200::model
