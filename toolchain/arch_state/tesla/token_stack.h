// The token stack of Tesla hardware.
//
// The stack keeps diverged paths of a warp as 64-bit tokens {type, PC, lane mask} (envytools mp.xml, isa.rst).
// joinat (SSY) marks where paths reconverge. A divergent bra saves the path that does not run now. call and prebrk
// mark the targets of ret and brk. A 2-bit state per lane remembers the lanes that left by brk, ret or exit. A
// token is popped when no lane of its region is running any more.
//
// Rules that the sources leave open, and our choices:
//  - When the running path ends by exit, brk or ret and the top token is a joinat, all remaining lanes of its
//    region have already arrived at the join (saved paths would lie above it). They continue as if the join had
//    popped the token.
//  - A join is a fault if the top token is neither branch nor joinat, or if there is none; and if it is not the
//    instruction that the joinat of its region names (wrong_convention). In the programs of laanwj/decuda, which
//    NVIDIA's compiler made, every join is.
#pragma once

#include <array>
#include <vector>

#include "toolchain/arch_state/tesla/stack_common.h"

namespace gt200::arch_state::tesla {

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

class token_stack final {
 public:
  explicit token_stack(const divergence_options& options);

  void start();
  // As in simt_stack; only for instructions that affect the stack.
  control_result enter(warp_flow& flow, const isa::tesla::instruction& i);
  control_result execute(warp_flow& flow, const isa::tesla::instruction& i, isa::lane_mask selected);

  unsigned depth() const { return depth_; }
  const stack_token& token(unsigned index) const { return tokens_[index]; }  // 0 is the bottom
  stack_words words(unsigned index) const;
  void set_words(unsigned index, const stack_words& words);
  static std::array<std::uint8_t, 4> word_bits() { return {32, isa::tesla::code_address_bits + 3}; }
  stack_entry entry_for_readers(unsigned index) const;
  unsigned max_depth() const { return static_cast<unsigned>(tokens_.size()); }
  const on_chip_window& window() const { return window_; }

 private:
  bool push(token_type type, isa::code_address pc, isa::lane_mask mask, control_result& result);
  void pop(control_result& result);
  void branch(warp_flow& flow, const isa::tesla::instruction& i, isa::lane_mask taken, control_result& result);
  void call(warp_flow& flow, const isa::tesla::instruction& i, control_result& result);
  void leave_by_ret(warp_flow& flow, isa::lane_mask lanes, isa::code_address next, control_result& result);
  void leave_by_brk(warp_flow& flow, isa::lane_mask lanes, isa::code_address next, control_result& result);
  void leave_by_exit(warp_flow& flow, control_result& result);
  void quad_on(warp_flow& flow, isa::code_address next, control_result& result);
  void quad_pop(warp_flow& flow, isa::code_address next, control_result& result);
  bool joins_elsewhere(isa::code_address pc) const;
  void meet(warp_flow& flow, isa::code_address pc, isa::code_address resume, control_result& result);
  void resume_next_path(warp_flow& flow, control_result& result);

  divergence_options options_;
  std::vector<stack_token> tokens_;  // allocated once; depth_ tokens are in use
  unsigned depth_ = 0;
  on_chip_window window_;
  unsigned calls_ = 0;  // call tokens on the stack
  unsigned limited_calls_ = 0;
  isa::lane_mask broken_ = 0;
  isa::lane_mask returned_ = 0;
};

}  // namespace gt200::arch_state::tesla
