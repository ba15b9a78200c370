#include "sc_models/sm/units/unit_reservation.h"

#include <algorithm>

namespace gt200::model {

bool unit_reservation::is_open(const alternative_unit& alternative, tlm_bus::cycle_t core_cycle) const {
  return until(alternative.instead) <= clocks_.shader_cycles(core_cycle);
}

bool unit_reservation::is_preferred(const alternative_unit& alternative, tlm_bus::cycle_t core_cycle) const {
  return until(alternative.own) > clocks_.shader_cycles(core_cycle) && is_open(alternative, core_cycle);
}

tlm_bus::cycle_t unit_reservation::open_at(const alternative_unit& alternative) const {
  return clocks_.core_cycles_begun(until(alternative.instead));
}

void unit_reservation::issued(unsigned unit, const isa::instruction& instruction, isa::lane_mask active,
                              tlm_bus::cycle_t core_cycle) {
  const unit_timing& timing = units_.units()[unit].timing[static_cast<unsigned>(instruction.unit)];
  tlm_bus::cycle_t& until = until_[units_.units()[unit].data_path];
  until = std::max(until, clocks_.shader_cycles(core_cycle)) +
          share_.cycles(units_.interval(unit, instruction), timing.lanes_per_step, active);
}

}  // namespace gt200::model
