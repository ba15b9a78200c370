// Divergence on Tesla: program counter, active lanes, and one of two stacks (options.mechanism). token_stack and
// pdom_stack push and pop the paths; this class passes each call on to the stack that it has. Every lane executes
// the same instructions with both stacks and all options.
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
#include "toolchain/arch_state/tesla/token_stack.h"

namespace gt200::arch_state::tesla {

class simt_stack final : public divergence {
 public:
  explicit simt_stack(const divergence_options& options);

  // With join `before`, paths reconverge before the instruction with join executes.
  control_result enter(const isa::instruction& i) override;
  // `selected` matters for bra, ret and brk.
  control_result execute(const isa::instruction& i, isa::lane_mask selected) override;

  unsigned depth() const override;
  unsigned entries_in_memory() const override { return window().in_memory(); }
  stack_words words(unsigned index) const override;
  stack_entry entry(unsigned index) const override;
  unsigned max_depth() const override;
  const on_chip_window& window() const;
  const token_stack* tokens() const { return std::get_if<token_stack>(&stack_); }  // null with the other mechanism
  const pdom_stack* pdom() const { return std::get_if<pdom_stack>(&stack_); }

 private:
  using any_stack = std::variant<token_stack, pdom_stack>;
  static any_stack make(const divergence_options& options);
  void started() override;

  any_stack stack_;
};

}  // namespace gt200::arch_state::tesla
