#include "toolchain/arch_state/fault.h"

#include <fmt/format.h>

namespace gt200::arch_state {

const char* name_of(fault_kind kind) {
  switch (kind) {
    case fault_kind::none: return "none";
    case fault_kind::stack_mismatch: return "stack mismatch";
    case fault_kind::stack_underflow: return "stack underflow";
    case fault_kind::stack_overflow: return "stack overflow";
    case fault_kind::wrong_convention:
      return "join or .S of the other divergence convention (tpc.sm.simt_stack.semantics)";
    case fault_kind::trap: return "trap instruction";
    case fault_kind::breakpoint: return "breakpoint instruction";
    case fault_kind::barrier_not_allocated: return "barrier beyond those of the kernel";
    case fault_kind::divergent_barrier: return "barrier in divergent code";
    case fault_kind::illegal_instruction: return "illegal instruction";
    case fault_kind::invalid_pc: return "program counter outside the code";
    case fault_kind::unmapped_address: return "unmapped address";
    case fault_kind::protected_address: return "protected address";
    case fault_kind::misaligned_address: return "misaligned address";
    case fault_kind::texture_not_bound: return "texture not bound";
    case fault_kind::section_not_held: return "use of a shared register without a section";
    case fault_kind::section_unwritten: return "use of a shared register not written since the acquire";
    case fault_kind::section_kept: return "end of a warp that holds a register section";
    case fault_kind::unsupported: return "unsupported instruction";
    case fault_kind::machine_check: return "machine check";
    case fault_kind::missed_hazard: return "missed hazard";
    case fault_kind::instruction_limit: return "instruction limit reached";
    case fault_kind::deadlock: return "deadlock";
    case fault_kind::interrupted: return "interrupted";
  }
  return "unknown";
}

std::string describe(const fault& f) {
  if (!f) return "no fault";
  std::string text = fmt::format("{} in kernel '{}' at {:#x}", name_of(f.kind), f.kernel, f.pc);
  if (f.line != 0) text += fmt::format(" (line {})", f.line);
  text += fmt::format(", block ({}, {}), warp {}, lanes {:#010x}", f.block_x, f.block_y, f.warp, f.lanes);
  if (f.kind == fault_kind::unmapped_address || f.kind == fault_kind::misaligned_address)
    text += fmt::format(", address {:#010x}", f.address);
  if (!f.id.empty()) text += ", instruction " + f.id;
  if (!f.disassembly.empty()) text += ": " + f.disassembly;
  if (!f.detail.empty()) text += " - " + f.detail;
  return text;
}

}  // namespace gt200::arch_state
