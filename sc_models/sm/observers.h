// The observers of events in an SM. An observer attaches to a tap (from sm_probe.h) and must not influence the
// model.
#pragma once

#include <systemc>

#include "sc_models/sm/cycles.h"
#include "sc_models/sm/dependency/scoreboard_transactions.h"
#include "sc_models/sm/interfaces.h"
#include "sc_models/warp_instruction.h"

namespace gt200::model {

// Is notified of every instruction that enters the buffer, with its id and the dependencies that the look-up found.
// Some of these may be cleared in the same cycle, before or after it enters.
class instruction_buffer_observer {
 public:
  virtual ~instruction_buffer_observer() = default;
  virtual void entered(const sc_core::sc_object& buffer, warp_slot warp,
                       const buffered_instruction& instruction) = 0;
};

// Is notified of the traffic at the ports of a scoreboard.
class scoreboard_observer {
 public:
  virtual ~scoreboard_observer() = default;
  // `full`: warps without a free entry from the next edge on, by the events of this cycle so far.
  virtual void entered(core_cycle cycle, warp_slot warp, const isa::instruction& instruction,
                       const lookup_answer& answer, warp_mask full) = 0;
  virtual void released(core_cycle cycle, warp_slot warp, std::uint64_t entries, warp_mask full) = 0;
};

// Is notified of the traffic at the ports of a scheduler's arbiter.
class arbitration_observer {
 public:
  virtual ~arbitration_observer() = default;
  virtual void went(core_cycle cycle, warp_mask candidates, warp_slot warp) = 0;
  // A new warp occupies the slot from the cycle after `cycle` on.
  virtual void started(core_cycle cycle, warp_slot warp) = 0;
};

// Is notified of every access in the order in which shared memory performs it.
class shared_memory_observer {
 public:
  virtual ~shared_memory_observer() = default;
  // Called before a store or lock takes effect, and after a load has its values.
  virtual void performed(const sc_core::sc_object& memory, const warp_instruction& operation) = 0;
};

// Is notified of every instruction that completes, with its results, before it is recycled.
class write_back_observer {
 public:
  virtual ~write_back_observer() = default;
  virtual void completed(const sc_core::sc_object& write_back, const warp_instruction& operation) = 0;
};

// Is notified of every section that is given and taken back.
class section_observer {
 public:
  virtual ~section_observer() = default;
  virtual void section_given(warp_slot warp, unsigned section) = 0;
  virtual void section_returned(warp_slot warp, unsigned section) = 0;
};

}  // namespace gt200::model
