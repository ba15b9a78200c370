// What the divergence stacks share: options, what a control instruction does to a warp, and where the warp is.
#pragma once

#include <array>
#include <cstdint>

#include "toolchain/arch_state/fault.h"
#include "toolchain/isa/tesla/instruction.h"

namespace gt200::emulator {

enum class stack_mechanism : std::uint8_t { typed_tokens, pdom };
enum class first_path : std::uint8_t { last_in_program, taken, fall_through };
enum class join_moment : std::uint8_t { before, after };

struct divergence_options {
  stack_mechanism mechanism = stack_mechanism::typed_tokens;
  first_path first = first_path::last_in_program;
  join_moment join = join_moment::after;
  unsigned on_chip_entries =
      16;  // context space of the SM exposes 16 per warp (envytools; on-chip part: inference)
  unsigned maximum_entries = 256;  // stack memory; hardware: up to 4096
  unsigned call_limit = 32;        // limited calls active at once; further ones are ignored (value: assumption)
};

struct control_result {
  fault_kind fault = fault_kind::none;
  bool executes = true;       // false: join `before` switched to another path, the instruction was not executed
  bool redirected = false;    // the next instruction is not the one behind this one
  bool met = false;           // paths that meet at the next instruction have met: enter() has nothing to do there
  bool finished = false;      // no lane of the warp is left
  isa::code_address pc = 0;   // next instruction
  isa::lane_mask mask = 0;    // lanes active there
  std::uint16_t spilled = 0;  // entries moved from the on-chip part to memory: 0 or 1
  std::uint16_t filled = 0;   // entries moved back
};

// Where a warp is. Both stacks act on it; straight-line code needs nothing else.
struct warp_flow {
  isa::code_address pc = 0;
  isa::lane_mask active = 0;
  isa::lane_mask started = 0;
  isa::lane_mask exited = 0;
};

// An entry as it lies in memory.
using stack_words = std::array<std::uint32_t, 4>;
constexpr unsigned code_address_bits = 24;

// All four lanes of every quad with an active lane.
constexpr isa::lane_mask whole_quads(isa::lane_mask mask) {
  const isa::lane_mask any = (mask | mask >> 1 | mask >> 2 | mask >> 3) & 0x11111111u;
  return any * 0xfu;
}

// join is a modifier of long instructions.
constexpr isa::code_address joining_instruction_bytes = 8;

// Whether the taken path of the divergent branch at `pc` runs first.
constexpr bool taken_runs_first(first_path first, isa::code_address pc, isa::code_address target) {
  return first == first_path::taken || (first == first_path::last_in_program && target > pc);
}

// The on-chip part of a stack holds its youngest entries. Pushing onto a full one moves the oldest of them to
// memory; an entry comes back when the stack has shrunk to it.
class on_chip_window {
 public:
  explicit on_chip_window(unsigned entries) : entries_(entries) {}
  void clear() { in_memory_ = deepest_ = 0; }
  // The stack has grown to `depth` entries, or is about to lose the top one of as many.
  void pushed(unsigned depth, control_result& result) {
    deepest_ = depth > deepest_ ? depth : deepest_;
    if (depth - in_memory_ <= entries_) return;
    ++in_memory_;
    ++result.spilled;
  }
  void popping(unsigned depth, control_result& result) {
    if (depth > in_memory_) return;
    --in_memory_;
    ++result.filled;
  }
  unsigned in_memory() const { return in_memory_; }  // the oldest entries of the stack
  unsigned deepest() const { return deepest_; }      // since clear()

 private:
  unsigned entries_;
  unsigned in_memory_ = 0;
  unsigned deepest_ = 0;
};

}  // namespace gt200::emulator
