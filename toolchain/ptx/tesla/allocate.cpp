// Allocates registers: colours them (machine/colour.h) and makes room (spill.h) until every register has its place.
#include <cstddef>
#include <optional>

#include "toolchain/ptx/machine/colour.h"
#include "toolchain/ptx/machine/reconverge.h"
#include "toolchain/ptx/tesla/passes.h"
#include "toolchain/ptx/tesla/spill.h"

namespace gt200::ptx::tesla {

allocation colour_registers(const machine_function& f, const register_limits& limits) {
  colour_rules rules;
  rules.max_registers = static_cast<int>(limits.most);
  rules.full_occupancy = limits.full_occupancy;
  return colourer<machine_function>(f, rules).run();
}

void place_joins(machine_function& f) { join_placement<machine_function>(f).run(); }

std::optional<allocation> allocate_registers(machine_function& f, const register_limits& limits) {
  renumber_registers(f);
  spiller room(f);
  return allocate(f, room, [&](const machine_function& g) { return colour_registers(g, limits); });
}

}  // namespace gt200::ptx::tesla
