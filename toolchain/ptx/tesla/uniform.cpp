#include "toolchain/ptx/machine/uniform.h"

#include "toolchain/ptx/tesla/passes.h"

namespace gt200::ptx::tesla {

using isa::tesla::opcode;

bool differs_by_itself(const operation& o) {
  switch (o.code.op) {
    case opcode::ld_const:
    case opcode::vote_any:
    case opcode::vote_all: return false;
    case opcode::mov_from_sr:
    case opcode::tex:
    case opcode::texfetch:
    case opcode::atom_global: return true;
    default: return is_load(o);
  }
}

bool agrees_by_itself(const operation& o) { return o.code.op == opcode::vote_any || o.code.op == opcode::vote_all; }

void find_uniform_branches(machine_function& f) { agreement<machine_function>(f).run(); }

}  // namespace gt200::ptx::tesla
