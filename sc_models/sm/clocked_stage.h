// A stage that says which clock of its SM it is on: its cycles cannot be taken for those of the other one.
//
// What belongs to the bus and to no clock in particular (pipes, registered signals) counts domain().cycle().
#pragma once

#include "sc_models/sm/cycles.h"
#include "tlm_bus/stage.h"

namespace gt200::model {

template <class Clock>
class clocked_stage : public tlm_bus::stage {
 public:
  using tlm_bus::stage::stage;

  timed::cycle_point<Clock> cycle() const { return timed::cycle_point<Clock>(domain().cycle()); }
  void wake_at(timed::cycle_point<Clock> at) { tlm_bus::stage::wake_at(at.number()); }
};

using core_stage = clocked_stage<timed::core_clock>;
using shader_stage = clocked_stage<timed::shader_clock>;

}  // namespace gt200::model
