// The SIMT stack of the literature (Fung et al., GPGPU-Sim). An entry holds PC, reconvergence PC and lane mask. The
// top entry is the running path; when it reaches its reconvergence PC it is popped and the entry below continues.
//
// The code names its reconvergence PCs: joinat (SSY), prebrk and call. Each turns the running entry into one that
// waits with all its lanes at the target of the instruction (or behind the call), and pushes an entry for the
// region. Compilers put joinat at the immediate post-dominator of the branch that follows, so the control-flow
// graph need not be analysed. Loops left by brk and functions left by ret keep their dynamic nesting; a graph would
// have to be interprocedural for that and could not handle recursion. Both mechanisms thus know the same about the
// program, and a comparison of them shows the mechanism alone. A divergent branch splits the running entry; both
// paths get the reconvergence PC of the region. Without a region around them, paths run to their ends, as with the
// token stack.
//
// Differences from the token stack:
//  - Paths reconverge by PC. The PC is compared after a control instruction or an instruction with join has changed
//    it, and when the warp arrives at an instruction with join. So a branch to the join switches to the next path
//    at once; with join `before` the token stack needs an issue slot for that.
//  - Lanes that left by brk, ret or exit are removed from the masks of the region's entries; there is no state per
//    lane.
//  - A join outside any region is not a fault. With both, a join is one (wrong_convention) if it is not where the
//    joinat of its region announced it.
// With join `after`, the reconvergence PC lies behind the instruction at the target of joinat.
#pragma once

#include <array>
#include <vector>

#include "toolchain/arch_state/tesla/stack_common.h"

namespace gt200::arch_state::tesla {

// The event that pushed an entry.
enum class pdom_region : std::uint8_t { start, branch, joinat, loop, call, limited_call, quad };

struct pdom_entry {
  // For regions that end by ret or quadpop, not by PC: a recursive function may pass the return address earlier.
  static constexpr isa::code_address no_address = ~isa::code_address{0};

  isa::code_address pc = 0;  // where it continues; for the running entry the PC of the warp counts instead
  isa::code_address reconvergence_pc = no_address;
  isa::lane_mask mask = 0;
  pdom_region region = pdom_region::start;
};

class pdom_stack final {
 public:
  explicit pdom_stack(const divergence_options& options);

  void start(const warp_flow& flow);
  // As in simt_stack; only for instructions that affect the stack.
  control_result enter(warp_flow& flow, const isa::tesla::instruction& i);
  control_result execute(warp_flow& flow, const isa::tesla::instruction& i, isa::lane_mask selected);

  // Entries below the running one. Equal to the number of tokens the other stack would hold.
  unsigned depth() const { return size_ - 1; }
  const pdom_entry& entry(unsigned index) const { return entries_[index]; }  // 0 is the bottom, depth() is running
  stack_words words(unsigned index) const;
  void set_words(unsigned index, const stack_words& words);
  static std::array<std::uint8_t, 4> word_bits() { return {32, isa::tesla::code_address_bits + 3, 32}; }
  stack_entry entry_for_readers(unsigned index) const;
  unsigned max_depth() const { return static_cast<unsigned>(entries_.size()) - 1; }
  const on_chip_window& window() const { return window_; }

 private:
  pdom_entry& running() { return entries_[size_ - 1]; }
  bool push(const pdom_entry& entry, control_result& result);
  void pop(control_result& result);
  void open(warp_flow& flow, pdom_region region, isa::code_address reconvergence, isa::code_address next,
            control_result& result);
  void branch(warp_flow& flow, const isa::tesla::instruction& i, isa::lane_mask taken, control_result& result);
  void call(warp_flow& flow, const isa::tesla::instruction& i, control_result& result);
  void ret(warp_flow& flow, isa::lane_mask lanes, isa::code_address next);
  void brk(warp_flow& flow, isa::lane_mask lanes, isa::code_address next, control_result& result);
  void exit(warp_flow& flow, isa::lane_mask lanes);
  void quad_on(warp_flow& flow, isa::code_address next, control_result& result);
  void quad_pop(warp_flow& flow, isa::code_address next, control_result& result);
  void leave(warp_flow& flow, isa::lane_mask lanes, unsigned from);
  bool reconverges_elsewhere(isa::code_address pc) const;
  void reconverge(warp_flow& flow, control_result& result);

  divergence_options options_;
  std::vector<pdom_entry> entries_;  // allocated once; size_ entries are in use
  unsigned size_ = 1;
  on_chip_window window_;
  unsigned limited_calls_ = 0;
  isa::code_address closed_at_ = pdom_entry::no_address;  // where the lanes of the last joinat region reconverged
};

}  // namespace gt200::arch_state::tesla
