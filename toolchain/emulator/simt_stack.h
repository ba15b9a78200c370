// Divergence state of one warp: program counter, active lanes, and the stack of typed tokens.
//
// Tesla keeps diverged paths of a warp on a stack of 64-bit tokens {type, PC, lane mask} (envytools mp.xml,
// isa.rst): joinat (SSY) marks where paths meet, a divergent bra parks the path that does not run now, call and
// prebrk mark where ret and brk lead to. Lanes that left by brk, ret or exit are kept apart in a 2-bit state per
// lane; a token is popped when no lane of its region is running any more.
//
// Emulator and cycle model use this class, one instance per warp, so both follow the same rules. It knows nothing
// of time; results say how many tokens crossed the border of the on-chip part so that a model can charge for them.
//
// Rules that the sources leave open, and what is done here:
//  - Which path runs first is an option. Observed on silicon: the one that comes last in the program (Wong).
//  - Whether join acts before or after the instruction that carries it is an option. Either way every lane executes
//    that instruction exactly once: with `after` once per path, with `before` once for all paths together.
//  - exit and join act whatever the predicate of their instruction says: real programs end in
//    "exit (never) nop" and meet in "join (never) nop".
//  - When the running path ends by exit, brk or ret and the top token is a joinat, all its remaining lanes have
//  already
//    arrived at the join (parked paths would lie above it). They continue as if the join had popped the token.
//  - ret outside any call ends the lane, as exit does (kernels end in ret).
#pragma once

#include <cstdint>
#include <vector>

#include "toolchain/emulator/fault.h"
#include "toolchain/isa/instruction.h"

namespace gt200::emulator {

enum class first_path : std::uint8_t { last_in_program, taken, fall_through };
enum class join_moment : std::uint8_t { before, after };

struct divergence_options {
  first_path first = first_path::last_in_program;
  join_moment join = join_moment::after;
  unsigned on_chip_entries =
      16;  // context space of the SM exposes 16 per warp (envytools; on-chip part: inference)
  unsigned maximum_entries = 256;  // stack memory; hardware: up to 4096
  unsigned call_limit = 32;        // limited calls active at once; further ones are ignored (value: assumption)
};

enum class token_type : std::uint8_t {
  branch = 1,
  call = 2,
  limited_call = 3,
  prebreak = 4,
  quadon = 5,
  joinat = 6
};

struct stack_token {
  isa::code_address pc = 0;
  isa::lane_mask mask = 0;
  token_type type = token_type::branch;
};

struct control_result {
  fault_kind fault = fault_kind::none;
  bool executes = true;      // false: join `before` switched to another path, the instruction was not executed
  bool redirected = false;   // the next instruction is not the one behind this one
  bool finished = false;     // no lane of the warp is left
  isa::code_address pc = 0;  // next instruction
  isa::lane_mask mask = 0;   // lanes active there
  std::uint8_t spilled = 0;  // tokens moved from the on-chip part to memory
  std::uint8_t filled = 0;   // tokens moved back
};

class simt_stack {
 public:
  explicit simt_stack(const divergence_options& options);

  // A new warp with these lanes; forgets everything else. No allocation.
  void start(isa::code_address pc, isa::lane_mask mask);

  isa::code_address pc() const { return pc_; }
  isa::lane_mask active_mask() const { return active_; }
  bool finished() const { return active_ == 0; }

  // True for instructions that must pass through enter() and execute(); all others use advance().
  static bool concerns(const isa::instruction& i) {
    return i.control != isa::control_kind::none || i.exit || i.join;
  }
  void advance(unsigned length) { pc_ += length; }

  // To be called before an instruction with `join` executes. With join `before` this pops the top token: either the
  // warp now runs another path (executes = false) or the paths have met and the instruction executes with
  // active_mask(). With join `after` it does nothing.
  control_result enter(const isa::instruction& i);

  // The effect of the instruction at pc() on the flow of the warp, after it executed. `selected`: the active lanes
  // for which its predicate holds; matters for bra, ret and brk.
  control_result execute(const isa::instruction& i, isa::lane_mask selected);

  // True if all lanes that have not ended are active: the condition for a barrier.
  bool converged() const { return active_ == (started_ & ~exited_); }
  isa::lane_mask live_mask() const { return started_ & ~exited_; }

  // State for logs and views. Index 0 is the bottom.
  unsigned depth() const { return depth_; }
  unsigned deepest() const { return deepest_; }  // since start()
  const stack_token& token(unsigned index) const { return tokens_[index]; }
  isa::lane_mask broken_mask() const { return broken_; }
  isa::lane_mask returned_mask() const { return returned_; }
  isa::lane_mask exited_mask() const { return exited_; }

 private:
  bool push(token_type type, isa::code_address pc, isa::lane_mask mask, control_result& result);
  void pop(control_result& result);
  void branch(const isa::instruction& i, isa::lane_mask taken, control_result& result);
  void call(const isa::instruction& i, control_result& result);
  void leave_by_ret(isa::lane_mask lanes, isa::code_address next, control_result& result);
  void leave_by_brk(isa::lane_mask lanes, isa::code_address next, control_result& result);
  void leave_by_exit(control_result& result);
  void quad_on(isa::code_address next, control_result& result);
  void quad_pop(isa::code_address next, control_result& result);
  void meet(isa::code_address resume, control_result& result);
  void resume_next_path(control_result& result);
  control_result& fill(control_result& result, isa::code_address sequential) const;

  divergence_options options_;
  std::vector<stack_token> tokens_;  // sized once; depth_ entries are in use
  unsigned depth_ = 0;
  unsigned deepest_ = 0;
  unsigned calls_ = 0;  // call tokens on the stack
  unsigned limited_calls_ = 0;
  isa::code_address pc_ = 0;
  isa::lane_mask active_ = 0;
  isa::lane_mask started_ = 0;
  isa::lane_mask broken_ = 0;
  isa::lane_mask returned_ = 0;
  isa::lane_mask exited_ = 0;
};

}  // namespace gt200::emulator
