// What the warp former offers the stages of an SM, and what it needs of block control. See warp_former.h.
#pragma once

#include "sc_models/sm/interfaces.h"

namespace gt200::model {

// What a control instruction has done to the threads of a warp.
struct threads_result {
  arch_state::fault_kind fault = arch_state::fault_kind::none;
  isa::lane_mask fault_lanes = 0;
};

// Implemented by the warp former.
class warp_former_if {
 public:
  virtual ~warp_former_if() = default;

  // -- called by block control --
  // A warp of the program starts in this slot, with its own threads. `number`: of the warp in its block.
  virtual void started(warp_slot slot, const grid_descriptor& grid, block_slot block, unsigned number,
                       isa::lane_mask threads) = 0;

  // -- called by issue, branch unit and barrier --
  // The slot belongs to a block whose warps are formed anew.
  virtual bool forms(warp_slot slot) const = 0;
  // The lanes of the warp in the slot.
  virtual isa::lane_mask active_mask(warp_slot slot) const = 0;

  // -- called by issue --
  // Sets the active lanes of an instruction of the slot, and whose threads they are; nothing if the slot keeps its
  // threads.
  virtual void compose(warp_slot slot, warp_instruction& operation) const = 0;
  virtual void issued(const warp_instruction& operation) = 0;
  // Slots whose threads wait for results or for a warp, and slots without threads, of blocks that have not ended.
  virtual const warp_signal& forming() const = 0;

  // -- called by write-back --
  virtual void completed(const warp_instruction& operation) = 0;

  // -- called by the branch unit --
  // The threads of the warp execute a control instruction.
  virtual threads_result execute(warp_slot slot, const isa::instruction& instruction, isa::code_address pc,
                                 isa::lane_mask selected) = 0;

  // -- called by the barrier --
  // Threads of the block that have not ended, as of the last edge.
  virtual unsigned live_threads(block_slot block) const = 0;
  // Occurs when threads have ended.
  virtual const tlm_bus::registered_event& thread_ends() const = 0;
  // The warp has executed a barrier instruction, and its threads leave it: `waiting` of them wait at the barrier,
  // the others go on.
  virtual void arrived(const warp_instruction& operation, isa::lane_mask waiting) = 0;
  // The threads of the block that wait at the barrier go on.
  virtual void release(block_slot block, unsigned barrier) = 0;
};

// Implemented by block control.
class formed_slots_if {
 public:
  virtual ~formed_slots_if() = default;
  // From the next cycle on the slot, of a running block, has a warp or none.
  virtual void occupied(warp_slot slot, bool has_warp) = 0;
};

}  // namespace gt200::model
