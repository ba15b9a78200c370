// The divergence stack of code that marks the last instruction of each path with `.S`: rule set ssy_sync.
//
//  - SSY pushes {ssy, active lanes, PC of reconvergence}.
//  - A branch that some of the active lanes take pushes {div, the lanes that take it, its target}. The other lanes
//    go on behind it. A uniform branch pushes nothing.
//  - An instruction marked `.S` takes its lanes out of the active ones: all, or under a guard those whose guard is
//    true. Lanes that are left go on behind it. When none is left, the top entry is popped, and its lanes go on at
//    its PC. For ssy these are all lanes of the region at the PC of reconvergence.
//  - Lanes that exit leave all entries; lanes that break or return leave those up to the entry of their loop or
//    call. An entry that is left without lanes stays until it is on top and no lane runs; then it is popped.
//
// Paths that end otherwise than by `.S` (exit, break, return) pop as well when no lane is left.
//
// Faults: `.S` with an empty stack (underflow) or on an entry that is neither ssy nor div (mismatch); a warp whose
// lanes all wait at `.S` though the stack is empty (underflow); `.S` on the instruction at the PC of its own region
// (wrong_convention: code that marks where paths reconverge, as Tesla's join does, would pop an entry more than it
// pushed).
//
// Sources: public notes on the SIMT stack (SSY, branch, `.S`, their entries and order); listings of sm_20 for
// guards. In the 322 kernels of seanbaxter/mgpu_old 530 of 537 SSY name the address behind a `.S`; where a `.S`
// stands at the target of an SSY, it ends a path of the region around that one. Breaks, calls and quads follow the
// token stack of Tesla.
//
// Nothing here depends on an instruction set: a generation calls one function per instruction. The address of the
// instruction is the PC of the warp; `next` is the address behind it.
#pragma once

#include <array>
#include <vector>

#include "toolchain/arch_state/on_chip_window.h"

namespace gt200::arch_state {

// As the tokens of the hardware are numbered (envytools mp.xml).
enum class sync_entry_type : std::uint8_t {
  div = 1,
  call = 2,
  limited_call = 3,
  prebreak = 4,
  quadon = 5,
  ssy = 6,
  precont = 7
};

struct sync_entry {
  isa::code_address pc = 0;
  isa::lane_mask mask = 0;
  sync_entry_type type = sync_entry_type::div;
};

struct sync_limits {
  unsigned on_chip_entries = 16;
  unsigned maximum_entries = 256;
  unsigned limited_calls = 32;  // active at once; further ones are ignored
  unsigned code_address_bits = 24;
};

class sync_stack final {
 public:
  explicit sync_stack(const sync_limits& limits);

  void start();

  // SSY, prebreak, precont; call, if the return address is not that of the next instruction (PRET): pushes an entry
  // with the active lanes.
  void open(warp_flow& flow, sync_entry_type type, isa::code_address target, isa::code_address next,
            control_result& result);
  void branch(warp_flow& flow, isa::lane_mask taken, isa::code_address target, isa::code_address next,
              control_result& result);
  // `.S`; `lanes`: the active lanes whose guard is true.
  void sync(warp_flow& flow, isa::lane_mask lanes, isa::code_address next, control_result& result);
  void brk(warp_flow& flow, isa::lane_mask lanes, isa::code_address next, control_result& result);
  // As brk, to the innermost precont.
  void cont(warp_flow& flow, isa::lane_mask lanes, isa::code_address next, control_result& result);
  void call(warp_flow& flow, isa::code_address target, isa::code_address next, bool limited,
            control_result& result);
  // Outside any call it ends the lanes.
  void ret(warp_flow& flow, isa::lane_mask lanes, isa::code_address next, control_result& result);
  void exit(warp_flow& flow, isa::lane_mask lanes, control_result& result);
  void quad_on(warp_flow& flow, isa::code_address next, control_result& result);
  void quad_pop(warp_flow& flow, isa::code_address next, control_result& result);

  unsigned depth() const { return depth_; }
  unsigned max_depth() const { return static_cast<unsigned>(entries_.size()); }
  const sync_entry& entry(unsigned index) const { return entries_[index]; }  // 0 is the bottom
  stack_words words(unsigned index) const;
  void set_words(unsigned index, const stack_words& words);
  std::array<std::uint8_t, 4> word_bits() const { return {32, static_cast<std::uint8_t>(code_address_bits_ + 3)}; }
  stack_entry entry_for_readers(unsigned index) const;
  const on_chip_window& window() const { return window_; }

 private:
  bool push(sync_entry_type type, isa::code_address pc, isa::lane_mask mask, control_result& result);
  sync_entry pop(control_result& result);
  unsigned innermost_loop(sync_entry_type type) const;
  unsigned innermost_call() const;
  bool marks_its_own_reconvergence(isa::code_address pc) const;
  void leave_loop(warp_flow& flow, sync_entry_type type, isa::lane_mask lanes, isa::code_address next,
                  control_result& result);
  void leave(warp_flow& flow, isa::lane_mask lanes, unsigned above);
  void resume_next_path(warp_flow& flow, control_result& result);

  std::vector<sync_entry> entries_;  // allocated once; depth_ entries are in use
  unsigned depth_ = 0;
  unsigned code_address_bits_;
  unsigned call_limit_;
  unsigned limited_calls_ = 0;
  on_chip_window window_;
};

}  // namespace gt200::arch_state
