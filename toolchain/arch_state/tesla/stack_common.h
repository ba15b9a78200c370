// Parts that both divergence stacks of Tesla share.
#pragma once

#include "toolchain/arch_state/divergence.h"
#include "toolchain/arch_state/tesla/divergence_options.h"
#include "toolchain/isa/tesla/instruction.h"

namespace gt200::arch_state::tesla {

// All four lanes of every quad with an active lane.
constexpr isa::lane_mask whole_quads(isa::lane_mask mask) {
  const isa::lane_mask any = (mask | mask >> 1 | mask >> 2 | mask >> 3) & 0x11111111u;
  return any * 0xfu;
}

// join is a modifier of long instructions.
constexpr isa::code_address joining_instruction_bytes = 8;

// True if the taken path of the divergent branch at `pc` runs first.
constexpr bool taken_runs_first(first_path first, isa::code_address pc, isa::code_address target) {
  return first == first_path::taken || (first == first_path::last_in_program && target > pc);
}

// Models the on-chip part of a stack, which holds the youngest entries. A push onto a full part moves the oldest of
// its entries to memory; an entry comes back when the stack has shrunk down to it.
class on_chip_window {
 public:
  explicit on_chip_window(unsigned entries) : entries_(entries) {}
  void clear() { in_memory_ = max_depth_ = 0; }
  // The stack has grown to `depth` entries.
  void pushed(unsigned depth, control_result& result) {
    max_depth_ = depth > max_depth_ ? depth : max_depth_;
    if (depth - in_memory_ <= entries_) return;
    ++in_memory_;
    ++result.spilled;
  }
  // The stack has `depth` entries and is about to lose the top one.
  void popping(unsigned depth, control_result& result) {
    if (depth > in_memory_) return;
    --in_memory_;
    ++result.filled;
  }
  unsigned in_memory() const { return in_memory_; }  // number of entries in memory, the oldest ones
  unsigned max_depth() const { return max_depth_; }  // largest depth since clear()

 private:
  unsigned entries_;
  unsigned in_memory_ = 0;
  unsigned max_depth_ = 0;
};

}  // namespace gt200::arch_state::tesla
