// Allocates registers: colours them (machine/colour.h) and makes room until every register has its place.
#include "toolchain/ptx/fermi/passes.h"
#include "toolchain/ptx/machine/colour.h"
#include "toolchain/ptx/machine/word_spiller.h"

namespace gt200::ptx::fermi {

std::optional<allocation> allocate_registers(machine_function& f, unsigned max_registers) {
  renumber_registers(f);
  colour_rules rules;
  rules.max_registers = static_cast<int>(std::min(max_registers, isa::fermi::max_gpr));
  rules.condition_registers = isa::fermi::predicate_count;
  rules.address_registers = 1;
  rules.full_occupancy = registers_of_full_occupancy;
  word_spiller<machine_function> room(f);
  return allocate(f, room, [&](const machine_function& g) { return colourer<machine_function>(g, rules).run(); });
}

}  // namespace gt200::ptx::fermi
