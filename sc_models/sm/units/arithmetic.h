// The arithmetic of a warp instruction: the one place at which the model calls an instruction's semantics.
#pragma once

#include "sc_models/warp_instruction.h"

namespace gt200::model {

// Calculates the results of all lanes that execute, from the operands in `values` and into it. An instruction
// without arithmetic of its own, or with a fault, has none.
inline void calculate(const warp_instruction& operation, isa::lane_bundle& values) {
  const isa::instruction& instruction = *operation.instruction;
  if (instruction.execute != nullptr && operation.executed != 0 && operation.fault == arch_state::fault_kind::none)
    instruction.execute(instruction, values, operation.executed);
}

}  // namespace gt200::model
