#include "toolchain/ptx/tesla/machine_code.h"

namespace gt200::ptx::tesla {

using isa::tesla::opcode;

bool has_effect(const operation& o) {
  switch (o.code.op) {
    case opcode::st_shared:
    case opcode::st_local:
    case opcode::st_global:
    case opcode::red_global:
    case opcode::atom_global:
    case opcode::bar:
    case opcode::trap:
    case opcode::brkpt:
    case opcode::pmevent: return true;
    case opcode::ld_shared: return o.code.lock || o.is_volatile;
    default: return o.is_volatile;
  }
}

bool is_load(const operation& o) {
  if ((o.code.op == opcode::ld_shared && !o.reads_parameter) || o.code.op == opcode::ld_global ||
      o.code.op == opcode::ld_local)
    return true;
  if (o.code.op == opcode::mov_from_sr) return true;
  if (o.reads_parameter) return false;
  for (const isa::tesla::operand& s : o.code.source)
    if (s.kind == isa::tesla::operand_kind::shared) return true;
  return false;
}

bool is_copy(const operation& o) {
  return o.code.op == opcode::mov && !o.guarded() && !o.code.is_16bit && o.expansion == pseudo::none &&
         o.code.source[0].kind == isa::tesla::operand_kind::gpr &&
         o.code.source[0].part == isa::tesla::half::whole && o.destination.reg >= 0;
}

std::uint32_t computed(isa::tesla::logic_op op, std::uint32_t a, std::uint32_t b) {
  switch (op) {
    case isa::tesla::logic_op::and_: return a & b;
    case isa::tesla::logic_op::or_: return a | b;
    case isa::tesla::logic_op::xor_: return a ^ b;
    case isa::tesla::logic_op::mov2: break;
  }
  return b;
}

}  // namespace gt200::ptx::tesla
