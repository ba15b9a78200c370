#include "toolchain/ptx/machine/schedule.h"

#include "toolchain/ptx/tesla/memory_order.h"
#include "toolchain/ptx/tesla/passes.h"

namespace gt200::ptx::tesla {

using isa::tesla::opcode;

bool is_computation(const operation& o) {
  return o.destination.reg >= 0 && !o.guarded() && o.condition_in < 0 && o.condition_out < 0 && !has_effect(o) &&
         memory_read_by(o) == memory_space::none && o.code.op != opcode::mov_from_sr &&
         o.code.op != opcode::mov_from_c && o.code.op != opcode::vote_any && o.code.op != opcode::vote_all;
}

bool is_plain_load(const operation& o) {
  switch (o.code.op) {
    case opcode::mov:
    case opcode::ld_shared:
    case opcode::ld_local:
    case opcode::ld_global:
    case opcode::tex:
    case opcode::texfetch: break;
    default: return false;
  }
  return memory_read_by(o) != memory_space::none && o.destination.reg >= 0 && !o.guarded() && o.condition_in < 0 &&
         o.condition_out < 0 && !has_effect(o);
}

bool moves_with_a_load(const operation& o) { return is_computation(o); }

bool loads_shared(const operation& o) { return memory_read_by(o) == memory_space::shared; }

void schedule_loads(machine_function& f, unsigned max_registers) {
  constexpr std::size_t address_registers = 4;
  schedule_loads_of(f, {max_registers, address_registers});
}

}  // namespace gt200::ptx::tesla
