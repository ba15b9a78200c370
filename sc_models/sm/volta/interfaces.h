// Questions and commands between the modules of Volta's SM, beside those that all generations have
// (sm/interfaces.h). The same rules hold.
#pragma once

#include <cstdint>

#include "sc_models/sm/cycles.h"
#include "sc_models/sm/interfaces.h"
#include "tlm_bus/registered_event.h"

namespace gt200::model {

// -- implemented by the control gate --

// Called by issue.
class control_gate_if : public virtual sc_core::sc_interface {
 public:
  // The first cycle in which the warp's oldest instruction may issue: the present one at the earliest. Never: it
  // waits for instructions of varying time, by dependency barriers or by registers.
  virtual core_cycle open_at(warp_slot warp, const isa::instruction& oldest) = 0;
  // What it waits for if it does, by the first that it names; else none.
  virtual stall_cause waits_for(warp_slot warp, const isa::instruction& oldest) const = 0;
  // True if it waits for results of memory beyond the SM.
  virtual bool waits_for_memory(warp_slot warp, const isa::instruction& oldest) const = 0;
  // The instruction issues. Its operands hold the path for `held` cycles.
  virtual void issued(warp_slot warp, const isa::instruction& instruction, core_cycles held) = 0;
  // A new warp occupies the slot.
  virtual void started(warp_slot warp) = 0;
  // Occurs when a dependency barrier is released.
  virtual const tlm_bus::registered_event& released() const = 0;
};

// -- implemented by the operand path --

// Called by issue.
class constant_line_if : public virtual sc_core::sc_interface {
 public:
  // The warp's oldest instruction, number `id`, needs the line of constants at this device address.
  virtual void fetch_line(warp_slot warp, std::uint64_t id, std::uint64_t address) = 0;
};

// -- implemented by the memory arbiter --

// Called by the barriers of the SM.
class memory_order_if : public tlm_bus::question_if {
 public:
  // Memory instructions of the warp slot that had passed the arbiter at the last edge. What passes later, of any
  // warp, comes behind them in the memories of the SM. It counts on from one warp of the slot to the next, modulo
  // 2^32.
  virtual std::uint32_t passed(warp_slot warp) const = 0;
};

// -- implemented by the barriers of the SM --

// Called by issue.
class barrier_waiters_if : public tlm_bus::question_if {
 public:
  // Warps with a path that waits at a barrier of their block.
  virtual const warp_signal& waiting_warps() const = 0;
};

// Called by the branch units.
class thread_barrier_if : public virtual sc_core::sc_interface {
 public:
  // The lanes for which this instruction was executed have exited.
  virtual void exited(const warp_instruction& operation) = 0;
};

}  // namespace gt200::model
