// What policies see of a buffered instruction.
#pragma once

#include "sc_models/sm/buffered_instruction.h"
#include "sc_models/sm/schedulers/scheduler.h"

namespace gt200::model {

inline observed_instruction observed_of(const buffered_instruction& b) {
  const isa::unit_class unit = b.instruction->unit;
  return {b.pc, unit, unit == isa::unit_class::memory || unit == isa::unit_class::texture, true};
}

}  // namespace gt200::model
