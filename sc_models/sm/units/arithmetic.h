// The arithmetic of an instruction: the only place where the model calls an instruction's semantics. Only the
// target functions of the units include it.
#pragma once

#include "sc_models/sm/units/unit_arithmetic.h"
#include "toolchain/isa/common/lane_bundle.h"

namespace gt200::model {

// Calculates the results of these lanes. Operands and results are in `values`; lanes outside are unspecified. Does
// nothing for an instruction without arithmetic. `own`: of the group, or null.
inline void calculate(const isa::instruction& instruction, isa::lane_mask lanes, isa::lane_bundle& values,
                      unit_arithmetic* own) {
  if (own != nullptr && lanes != 0 && own->calculates(instruction))
    return own->calculate(instruction, lanes, values);
  if (instruction.execute != nullptr && lanes != 0) instruction.execute(instruction, values, lanes);
}

}  // namespace gt200::model
