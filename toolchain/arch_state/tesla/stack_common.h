// Parts that the divergence stacks of Tesla share.
#pragma once

#include "toolchain/arch_state/divergence.h"
#include "toolchain/arch_state/on_chip_window.h"
#include "toolchain/arch_state/tesla/divergence_options.h"
#include "toolchain/isa/tesla/instruction.h"

namespace gt200::arch_state::tesla {

// join is a modifier of long instructions.
constexpr isa::code_address joining_instruction_bytes = 8;

// True if the taken path of the divergent branch at `pc` runs first.
constexpr bool taken_runs_first(first_path first, isa::code_address pc, isa::code_address target) {
  return first == first_path::taken || (first == first_path::last_in_program && target > pc);
}

}  // namespace gt200::arch_state::tesla
