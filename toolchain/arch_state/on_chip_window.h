// The on-chip part of a divergence stack, which holds the youngest entries. A push onto a full part moves the
// oldest of its entries to memory; an entry comes back when the stack has shrunk down to it.
#pragma once

#include "toolchain/arch_state/divergence.h"

namespace gt200::arch_state {

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
  unsigned entries() const { return entries_; }      // that it has room for
  unsigned in_memory() const { return in_memory_; }  // number of entries in memory, the oldest ones
  unsigned max_depth() const { return max_depth_; }  // largest depth since clear()

 private:
  unsigned entries_;
  unsigned in_memory_ = 0;
  unsigned max_depth_ = 0;
};

}  // namespace gt200::arch_state
