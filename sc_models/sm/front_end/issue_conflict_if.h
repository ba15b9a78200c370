// What shared memory tells issue.
#pragma once

#include <systemc>

#include "sc_models/slots.h"
#include "sc_models/sm/cycles.h"

namespace gt200::model {

class issue_conflict_if : public virtual sc_core::sc_interface {
 public:
  // Bank conflicts: no scheduler issues from the next cycle on and before `end`.
  virtual void hold_ports_until(core_cycle end) = 0;
  // An access of the warp goes through the pipeline again: from the next cycle on the warp issues nothing, until
  // replays_ended(). A barrier does not release it meanwhile.
  virtual void replays_began(warp_slot warp) = 0;
  virtual void replays_ended(warp_slot warp) = 0;
};

}  // namespace gt200::model
