// The rules of ssy_sync for Tesla's instructions: joinat is SSY, and the flag join is `.S`.
//
// `.S` obeys the predicate of its instruction; exit ignores it. A ret outside any call ends the lanes.
#pragma once

#include "toolchain/arch_state/sync_stack.h"
#include "toolchain/arch_state/tesla/stack_common.h"

namespace gt200::arch_state::tesla {

class ssy_sync_stack final {
 public:
  explicit ssy_sync_stack(const divergence_options& options);

  void start() { stack_.start(); }
  // `.S` acts after its instruction, so a path never switches on its arrival.
  control_result enter(warp_flow&, const isa::tesla::instruction&) { return {}; }
  // As in simt_stack; only for instructions that affect the stack.
  control_result execute(warp_flow& flow, const isa::tesla::instruction& i, isa::lane_mask selected);

  const sync_stack& entries() const { return stack_; }
  unsigned depth() const { return stack_.depth(); }
  stack_words words(unsigned index) const { return stack_.words(index); }
  void set_words(unsigned index, const stack_words& words) { stack_.set_words(index, words); }
  std::array<std::uint8_t, 4> word_bits() const { return stack_.word_bits(); }
  stack_entry entry_for_readers(unsigned index) const { return stack_.entry_for_readers(index); }
  unsigned max_depth() const { return stack_.max_depth(); }
  const on_chip_window& window() const { return stack_.window(); }

 private:
  sync_stack stack_;
};

}  // namespace gt200::arch_state::tesla
