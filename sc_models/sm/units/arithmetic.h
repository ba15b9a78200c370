// The arithmetic of a warp instruction: the only place where the model calls an instruction's semantics.
#pragma once

#include "sc_models/warp_instruction.h"

namespace gt200::model {

// Calculates the results of all lanes that execute. Operands and results are in `values`. Does nothing for an
// instruction without arithmetic, or with a fault.
inline void calculate(const warp_instruction& operation, isa::lane_bundle& values) {
  const isa::instruction& instruction = *operation.instruction;
  if (instruction.execute != nullptr && operation.executed != 0 && operation.fault == arch_state::fault_kind::none)
    instruction.execute(instruction, values, operation.executed);
}

}  // namespace gt200::model
