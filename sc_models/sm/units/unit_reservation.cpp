#include "sc_models/sm/units/unit_reservation.h"

#include <algorithm>

namespace gt200::model {
namespace {

constexpr unsigned shader_cycles = 2;  // per core cycle

}  // namespace

bool unit_reservation::is_open(const alternative_unit& alternative, tlm_bus::cycle_t core_cycle) const {
  return until(alternative.instead) <= shader_cycles * core_cycle;
}

bool unit_reservation::is_preferred(const alternative_unit& alternative, tlm_bus::cycle_t core_cycle) const {
  return until(alternative.own) > shader_cycles * core_cycle && is_open(alternative, core_cycle);
}

tlm_bus::cycle_t unit_reservation::open_at(const alternative_unit& alternative) const {
  return (until(alternative.instead) + shader_cycles - 1) / shader_cycles;
}

void unit_reservation::issued(unsigned unit, const isa::instruction& instruction, tlm_bus::cycle_t core_cycle) {
  tlm_bus::cycle_t& until = until_[units_.units()[unit].data_path];
  until = std::max(until, shader_cycles * core_cycle) + units_.interval(unit, instruction);
}

}  // namespace gt200::model
