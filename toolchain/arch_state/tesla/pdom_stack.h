// The stack of the literature (Fung et al., GPGPU-Sim): entries of PC, reconvergence PC and lane mask. The top one
// is the running path; where it reaches its reconvergence PC it is popped, and the entry below goes on.
//
// Reconvergence PCs are those the code names: joinat (SSY), prebrk and call turn the running entry into one that
// waits at their target, or behind the call, with all its lanes, and push one for the region. Compilers put joinat
// at the immediate post-dominator of the branch that follows, so nothing has to be calculated from the control-flow
// graph; loops left by brk and functions left by ret keep their dynamic nesting, for which a graph would have to be
// interprocedural and recursion could not be had; and both stacks know the same about the program, so that a
// comparison shows the mechanism alone. A divergent branch splits the running entry; both paths have the
// reconvergence PC of the region. Without a region around it, paths run to their ends, as on the stack of tokens.
//
// What differs from the stack of typed tokens:
//  - Paths meet by their PC. It is compared when a control instruction, or one with join, has changed it, and when
//    the warp comes to an instruction with join. So a branch to the join changes to the next path at once; with
//    join `before` the stack of tokens needs an issue slot for that.
//  - Lanes that left by brk, ret or exit are taken out of the masks of the region's entries; no lane state is kept.
//  - A join outside any region is no fault.
// With join `after` the reconvergence PC lies behind the instruction at the target of joinat.
#pragma once

#include <vector>

#include "toolchain/arch_state/tesla/stack_common.h"

namespace gt200::arch_state::tesla {

// What pushed an entry.
enum class pdom_region : std::uint8_t { start, branch, joinat, loop, call, limited_call, quad };

struct pdom_entry {
  // Left by ret and quadpop, whatever the PC: a recursive function comes past the address behind its call.
  static constexpr isa::code_address no_address = ~isa::code_address{0};

  isa::code_address pc = 0;  // where it goes on; of the running entry, the PC of the warp counts
  isa::code_address reconvergence_pc = no_address;
  isa::lane_mask mask = 0;
  pdom_region region = pdom_region::start;
};

class pdom_stack final {
 public:
  explicit pdom_stack(const divergence_options& options);

  void start(const warp_flow& flow);
  // As in simt_stack, for instructions that concern the stack.
  control_result enter(warp_flow& flow, const isa::tesla::instruction& i);
  control_result execute(warp_flow& flow, const isa::tesla::instruction& i, isa::lane_mask selected);

  // Entries below the running one: as many as there are tokens on the other stack.
  unsigned depth() const { return size_ - 1; }
  const pdom_entry& entry(unsigned index) const { return entries_[index]; }  // 0 is the bottom, depth() runs
  stack_words words(unsigned index) const;
  const on_chip_window& window() const { return window_; }

 private:
  pdom_entry& running() { return entries_[size_ - 1]; }
  bool push(const pdom_entry& entry, control_result& result);
  void pop(control_result& result);
  void open(warp_flow& flow, pdom_region region, isa::code_address meeting, isa::code_address next,
            control_result& result);
  void branch(warp_flow& flow, const isa::tesla::instruction& i, isa::lane_mask taken, control_result& result);
  void call(warp_flow& flow, const isa::tesla::instruction& i, control_result& result);
  void ret(warp_flow& flow, isa::lane_mask lanes, isa::code_address next);
  void brk(warp_flow& flow, isa::lane_mask lanes, isa::code_address next, control_result& result);
  void exit(warp_flow& flow, isa::lane_mask lanes);
  void quad_on(warp_flow& flow, isa::code_address next, control_result& result);
  void quad_pop(warp_flow& flow, isa::code_address next, control_result& result);
  void leave(warp_flow& flow, isa::lane_mask lanes, unsigned from);
  void reconverge(warp_flow& flow, control_result& result);

  divergence_options options_;
  std::vector<pdom_entry> entries_;  // sized once; size_ are in use
  unsigned size_ = 1;
  on_chip_window window_;
  unsigned limited_calls_ = 0;
};

}  // namespace gt200::arch_state::tesla
