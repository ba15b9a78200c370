#include "rtl_ref/template/hazard_unit.h"

#include "Vhazard_unit.h"
#include "Vregistered_hazard_unit.h"
#include "rtl_ref/template/hazard_unit_pins.h"
#include "rtl_ref/template/registered_hazard_unit_pins.h"

namespace gt200::rtl {

std::unique_ptr<scoreboard_pins> make_hazard_unit() {
  return std::make_unique<hazard_unit_pins<Vhazard_unit, hazard_unit_size.warps, hazard_unit_size.entries>>();
}

std::unique_ptr<scoreboard_pins> make_registered_hazard_unit() {
  return std::make_unique<
      registered_hazard_unit_pins<Vregistered_hazard_unit, hazard_unit_size.warps, hazard_unit_size.entries>>();
}

}  // namespace gt200::rtl
