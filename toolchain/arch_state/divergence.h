// The place of a warp in its program, and which of its lanes are active. Control instructions change both by the
// rule of a generation; its class derives from this one.
//
// Emulator and cycle model keep one object per warp, so both follow the same rule. The class knows nothing of time.
// A result says how many entries of the divergence state moved between on-chip storage and memory, so that a model
// can charge time for them.
#pragma once

#include <array>
#include <cstdint>

#include "toolchain/arch_state/fault.h"
#include "toolchain/isa/common/instruction.h"
#include "toolchain/isa/common/lane_bundle.h"

namespace gt200::arch_state {

struct control_result {
  fault_kind fault = fault_kind::none;
  bool executes = true;       // enter(): false when the warp has switched to another path
  bool redirected = false;    // the next instruction does not directly follow this one
  bool reconverged = false;   // enter(): all paths have arrived and the instruction at pc executes
  bool finished = false;      // no lane of the warp is left
  isa::code_address pc = 0;   // next instruction
  isa::lane_mask mask = 0;    // lanes active there
  std::uint16_t spilled = 0;  // entries moved from the on-chip part to memory: 0 or 1
  std::uint16_t filled = 0;   // entries moved back
};

// The place and the active lanes of a warp. Straight-line code changes nothing else.
struct warp_flow {
  isa::code_address pc = 0;
  isa::lane_mask active = 0;
  isa::lane_mask started = 0;
  isa::lane_mask exited = 0;
};

// One entry in the format it has in memory.
using stack_words = std::array<std::uint32_t, 4>;

// The same as a reader sees it.
struct stack_entry {
  const char* kind = "";  // the event that pushed it; empty: no entry
  isa::code_address pc = 0;
  isa::code_address reconvergence_pc = 0;  // 0 if entries of the mechanism have none
  isa::lane_mask mask = 0;
};

class divergence {
 public:
  virtual ~divergence() = default;

  // Starts a new warp with these lanes and forgets everything else. Does not allocate.
  void start(isa::code_address pc, isa::lane_mask mask) {
    flow_ = {pc, mask, mask, 0};
    started();
  }

  isa::code_address pc() const { return flow_.pc; }
  isa::lane_mask active_mask() const { return flow_.active; }
  bool finished() const { return flow_.active == 0; }
  // True if all lanes that have not ended are active: the condition for a barrier.
  bool converged() const { return flow_.active == live_mask(); }
  isa::lane_mask live_mask() const { return flow_.started & ~flow_.exited; }

  // Advances behind an instruction that does not affect divergence.
  void advance(unsigned length) { flow_.pc += length; }

  // Called when a path of the warp arrives at a reconvergence point that acts before its instruction. Either the
  // warp switches to another path, or all paths have arrived and the instruction executes with active_mask(). Does
  // nothing in a generation whose reconvergence points act after their instruction.
  virtual control_result enter(const isa::instruction& i) = 0;
  // Applies the effect of the control instruction at pc() after it executed. `selected`: the active lanes for which
  // its predicate holds.
  virtual control_result execute(const isa::instruction& i, isa::lane_mask selected) = 0;
  // The same for a branch whose lanes have read their targets from memory. Only generations with such a branch have
  // a rule for it.
  virtual control_result execute_indirect(const isa::instruction& i, isa::lane_mask selected,
                                          const isa::lane_words& /*targets*/) {
    return execute(i, selected);
  }

  // -- generations whose barriers count threads, so that the paths of a warp wait one by one --

  // The running path waits at a barrier of the block; release lets the paths of these lanes that wait there go on.
  // Without a path that can run, active_mask() is 0.
  virtual void wait_at_block_barrier(unsigned /*number*/) {}
  virtual void release_block_barrier(unsigned /*number*/, isa::lane_mask /*lanes*/) {}
  // A path other than the running one can run.
  virtual bool others_can_run() const { return false; }
  // How often a path has been chosen to run, the same or another one; modulo 2^32.
  virtual std::uint32_t turns() const { return 0; }

  // Executes an instruction that moves state between registers and this object: reads source 0, fills the result.
  virtual void move_state(const isa::instruction& /*i*/, isa::lane_bundle& /*values*/,
                          isa::lane_mask /*selected*/) {}

  // For logs and views, and for moving entries: the number of all entries, and of those in memory.
  virtual unsigned depth() const = 0;
  virtual unsigned entries_in_memory() const = 0;
  // One entry in its memory format; 0 is the oldest. An entry that the last instruction removed keeps its last
  // value.
  virtual stack_words words(unsigned index) const = 0;
  virtual stack_entry entry(unsigned index) const = 0;
  // The most entries that depth() may count.
  virtual unsigned max_depth() const = 0;

  // -- the storage on the chip, for whoever damages it --
  // Entries that it has room for, and the bits that each word of an entry has there. 0: it cannot be damaged.
  virtual unsigned on_chip_entries() const { return 0; }
  virtual std::array<std::uint8_t, 4> word_bits() const { return {}; }
  // Replaces an entry below max_depth(), in use or not. Any words are allowed: damage that a rule meets later
  // becomes a fault.
  virtual void set_words(unsigned /*index*/, const stack_words& /*words*/) {}
  void set_active_mask(isa::lane_mask mask) { flow_.active = mask; }

 protected:
  divergence() = default;
  divergence(const divergence&) = default;
  divergence(divergence&&) = default;
  divergence& operator=(const divergence&) = default;
  divergence& operator=(divergence&&) = default;

  // Called at the start of the warp, when there is one path.
  virtual void started() = 0;

  warp_flow flow_;
};

}  // namespace gt200::arch_state
