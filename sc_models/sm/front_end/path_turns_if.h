// Paths of a warp that take turns: the question of decode whether a turn is over.
#pragma once

#include "sc_models/slots.h"
#include "sc_models/sm/cycles.h"
#include "tlm_bus/port.h"

namespace gt200::model {

// Implemented by the branch unit of generations whose warps have several paths that can run. Called by decode.
class path_turns_if : public tlm_bus::question_if {
 public:
  // The path of the warp has run for its time while another one could have, as of the last edge before `now`.
  virtual bool is_over(warp_slot warp, core_cycle now) const = 0;
};

}  // namespace gt200::model
