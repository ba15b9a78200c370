// Answers of Tesla operations to the passes of machine/control_flow.h.
#include "toolchain/ptx/machine/control_flow.h"

#include <algorithm>

#include "toolchain/ptx/tesla/passes.h"

namespace gt200::ptx::tesla {

using isa::tesla::opcode;

bool can_guard(const operation& o) {
  if (o.code.condition != 0xf || o.condition_in >= 0 || o.condition_out >= 0 || o.code.lock ||
      o.expansion != pseudo::none)
    return false;
  switch (o.code.op) {
    case opcode::bar:
    case opcode::tex:
    case opcode::texfetch:
    case opcode::vote_any:
    case opcode::vote_all:
    case opcode::trap:
    case opcode::brkpt:
    case opcode::pmevent: return false;
    default: return true;
  }
}

// Has no effect in threads that should not execute it, as long as its result stays in the block.
bool is_harmless(const operation& o) {
  switch (o.code.op) {
    case opcode::ld_global:
    case opcode::ld_local:
    case opcode::ld_shared:
    case opcode::ld_const: return false;
    default: break;
  }
  const bool reads_memory =
      std::any_of(o.source.begin(), o.source.end(), [](word_ref r) { return r.reg >= 0; }) &&
      std::any_of(o.code.source.begin(), o.code.source.end(), [&](const isa::tesla::operand& s) {
        return (s.kind == isa::tesla::operand_kind::shared || s.kind == isa::tesla::operand_kind::constant) &&
               !o.reads_parameter;
      });
  return !has_effect(o) && !reads_memory;
}

void guard_with(operation& o, int condition, bool when) {
  o.code.condition = when ? condition_true : condition_false;
  o.condition_in = condition;
}

void convert_branches(machine_function& f) { branch_converter<machine_function>(f).run(); }

}  // namespace gt200::ptx::tesla
