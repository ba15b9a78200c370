// Divergence state of one warp: program counter, active lanes, and one of two stacks (options.mechanism).
//
// Emulator and cycle model use this class, one instance per warp, so both follow the same rules. It knows nothing
// of time; results say how many entries crossed the border of the on-chip part so that a model can charge for them.
// Every lane executes the same instructions under both stacks and all options.
//
// Rules that the sources leave open, and what is done here:
//  - Which path runs first is an option. Observed on silicon: the one that comes last in the program (Wong).
//  - Whether join acts before or after the instruction that carries it is an option. Either way every lane executes
//    that instruction exactly once: with `after` once per path, with `before` once for all paths together.
//  - exit and join act whatever the predicate of their instruction says: real programs end in
//    "exit (never) nop" and meet in "join (never) nop".
//  - ret outside any call ends the lane, as exit does (kernels end in ret).
#pragma once

#include <variant>

#include "toolchain/arch_state/pdom_stack.h"
#include "toolchain/arch_state/token_stack.h"

namespace gt200::emulator {

class simt_stack {
 public:
  explicit simt_stack(const divergence_options& options);

  // A new warp with these lanes; forgets everything else. No allocation.
  void start(isa::code_address pc, isa::lane_mask mask);

  isa::code_address pc() const { return flow_.pc; }
  isa::lane_mask active_mask() const { return flow_.active; }
  bool finished() const { return flow_.active == 0; }

  // True for instructions that must pass through enter() and execute(); all others use advance().
  static bool concerns(const isa::instruction& i) {
    return i.control != isa::control_kind::none || i.exit || i.join;
  }
  void advance(unsigned length) { flow_.pc += length; }

  // To be called before an instruction with `join` executes. With join `before`, paths meet here: either the warp
  // now runs another path (executes = false) or the paths have met and the instruction executes with active_mask().
  // With join `after` it does nothing.
  control_result enter(const isa::instruction& i);

  // The effect of the instruction at pc() on the flow of the warp, after it executed. `selected`: the active lanes
  // for which its predicate holds; matters for bra, ret and brk.
  control_result execute(const isa::instruction& i, isa::lane_mask selected);

  // True if all lanes that have not ended are active: the condition for a barrier.
  bool converged() const { return flow_.active == live_mask(); }
  isa::lane_mask live_mask() const { return flow_.started & ~flow_.exited; }

  // For logs and views.
  unsigned depth() const;
  const on_chip_window& window() const;
  // An entry as it lies in memory, 0 being the bottom; of those that the last instruction has popped, what they
  // were.
  stack_words words(unsigned index) const;
  const token_stack* tokens() const { return std::get_if<token_stack>(&stack_); }  // null with the other mechanism
  const pdom_stack* pdom() const { return std::get_if<pdom_stack>(&stack_); }

 private:
  using any_stack = std::variant<token_stack, pdom_stack>;
  static any_stack make(const divergence_options& options);

  warp_flow flow_;
  any_stack stack_;
};

}  // namespace gt200::emulator
