// Divergence on Tesla: program counter, active lanes, and one of three stacks (options.semantics and
// options.mechanism). token_stack, pdom_stack and ssy_sync_stack push and pop the paths; this class passes each
// call on to the stack that it has. token_stack and pdom_stack run the same code: every lane executes the same
// instructions with both and all options. ssy_sync_stack runs code of another convention, in which the flag `join`
// of an instruction is `.S`. Code of the other convention faults at its first join or .S (wrong_convention).
//
// Rules that the sources leave open, and our choices:
//  - Which path runs first is an option. Observed on silicon: the one that comes last in the program (Wong).
//  - Whether join acts before or after the instruction that carries it is an option. Either way every lane executes
//    that instruction exactly once: with `after` once per path, with `before` once for all paths together.
//  - exit and join ignore the predicate of their instruction: real programs end in "exit (never) nop" and
//    reconverge at "join (never) nop".
//  - ret outside any call ends the lane, as exit does (kernels end in ret).
#pragma once

#include <variant>

#include "toolchain/arch_state/tesla/pdom_stack.h"
#include "toolchain/arch_state/tesla/ssy_sync_stack.h"
#include "toolchain/arch_state/tesla/token_stack.h"

namespace gt200::arch_state::tesla {

class simt_stack final : public divergence {
 public:
  explicit simt_stack(const divergence_options& options);

  // With join `before`, paths reconverge before the instruction with join executes.
  control_result enter(const isa::instruction& i) override;
  // `selected` matters for bra, ret and brk, and for .S.
  control_result execute(const isa::instruction& i, isa::lane_mask selected) override;

  unsigned depth() const override;
  unsigned entries_in_memory() const override { return window().in_memory(); }
  stack_words words(unsigned index) const override;
  stack_entry entry(unsigned index) const override;
  unsigned max_depth() const override;
  unsigned on_chip_entries() const override { return window().entries(); }
  std::array<std::uint8_t, 4> word_bits() const override;
  void set_words(unsigned index, const stack_words& words) override;
  const on_chip_window& window() const;
  const token_stack* tokens() const { return std::get_if<token_stack>(&stack_); }  // null with another one
  const pdom_stack* pdom() const { return std::get_if<pdom_stack>(&stack_); }
  const sync_stack* sync() const {
    const auto* stack = std::get_if<ssy_sync_stack>(&stack_);
    return stack == nullptr ? nullptr : &stack->entries();
  }

 private:
  using any_stack = std::variant<token_stack, pdom_stack, ssy_sync_stack>;
  static any_stack make(const divergence_options& options);
  void started() override;

  any_stack stack_;
};

}  // namespace gt200::arch_state::tesla
