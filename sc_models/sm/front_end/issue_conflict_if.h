// What shared memory tells issue.
#pragma once

#include <systemc>

#include "sc_models/sm/cycles.h"

namespace gt200::model {

class issue_conflict_if : public virtual sc_core::sc_interface {
 public:
  // Bank conflicts: no scheduler issues from the next cycle on and before `end`.
  virtual void hold_ports_until(core_cycle end) = 0;
};

}  // namespace gt200::model
