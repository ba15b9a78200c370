// Where a warp is and which of its lanes are active. How control instructions change that is the rule of a
// generation, which derives from this class.
//
// Emulator and cycle model keep one per warp, so both follow the same rule. It knows nothing of time; results say
// how many entries of the divergence state crossed the border of its on-chip part, so that a model can charge for
// them.
#pragma once

#include <array>
#include <cstdint>

#include "toolchain/arch_state/fault.h"
#include "toolchain/isa/common/instruction.h"

namespace gt200::arch_state {

struct control_result {
  fault_kind fault = fault_kind::none;
  bool executes = true;       // enter(): false when the warp has changed to another path
  bool redirected = false;    // the next instruction is not the one behind this one
  bool met = false;           // paths that meet at the next instruction have met: enter() has nothing to do there
  bool finished = false;      // no lane of the warp is left
  isa::code_address pc = 0;   // next instruction
  isa::lane_mask mask = 0;    // lanes active there
  std::uint16_t spilled = 0;  // entries moved from the on-chip part to memory: 0 or 1
  std::uint16_t filled = 0;   // entries moved back
};

// Where a warp is; straight-line code changes nothing else.
struct warp_flow {
  isa::code_address pc = 0;
  isa::lane_mask active = 0;
  isa::lane_mask started = 0;
  isa::lane_mask exited = 0;
};

// An entry as it lies in memory.
using stack_words = std::array<std::uint32_t, 4>;

class divergence {
 public:
  virtual ~divergence() = default;

  // A new warp with these lanes; forgets everything else. No allocation.
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

  // An instruction that does not concern divergence has been executed.
  void advance(unsigned length) { flow_.pc += length; }

  // A path of the warp has come to a reconvergence point that acts before its instruction: either the warp now runs
  // another path, or the paths have met and the instruction executes with active_mask(). A generation whose
  // reconvergence points act after their instruction does nothing here.
  virtual control_result enter(const isa::instruction& i) = 0;
  // The effect of the instruction at pc() on the flow of the warp, after it executed; for instructions that concern
  // divergence. `selected`: the active lanes for which its predicate holds.
  virtual control_result execute(const isa::instruction& i, isa::lane_mask selected) = 0;

  // For logs and views, and for moving entries: entries in all, and of them those that lie in memory.
  virtual unsigned depth() const = 0;
  virtual unsigned entries_in_memory() const = 0;
  // An entry as it lies in memory, 0 being the oldest; of those that the last instruction has removed, what they
  // were.
  virtual stack_words words(unsigned index) const = 0;

 protected:
  divergence() = default;
  divergence(const divergence&) = default;
  divergence(divergence&&) = default;
  divergence& operator=(const divergence&) = default;
  divergence& operator=(divergence&&) = default;

  // The warp has started: there is one path.
  virtual void started() = 0;

  warp_flow flow_;
};

}  // namespace gt200::arch_state
