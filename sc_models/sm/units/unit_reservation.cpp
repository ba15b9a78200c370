#include "sc_models/sm/units/unit_reservation.h"

#include <algorithm>

namespace gt200::model {

bool unit_reservation::is_open(const alternative_unit& alternative, core_cycle now) const {
  return until(alternative.instead) <= clocks_.to_shader(now);
}

bool unit_reservation::is_preferred(const alternative_unit& alternative, core_cycle now) const {
  return until(alternative.own) > clocks_.to_shader(now) && is_open(alternative, now);
}

core_cycle unit_reservation::open_at(const alternative_unit& alternative) const {
  return clocks_.first_core_from(until(alternative.instead));
}

void unit_reservation::issued(unsigned unit, const isa::instruction& instruction, isa::lane_mask active,
                              core_cycle now) {
  const unit_timing& timing = units_.units()[unit].timing[static_cast<unsigned>(instruction.unit)];
  shader_cycle& until = until_[units_.units()[unit].data_path];
  until = std::max(until, clocks_.to_shader(now)) +
          share_.cycles(units_.interval(unit, instruction), timing.lanes_per_step, active);
}

}  // namespace gt200::model
