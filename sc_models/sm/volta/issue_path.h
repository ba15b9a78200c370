// Where an instruction of Volta's SM goes from issue.
#pragma once

#include <cstdint>

#include "toolchain/isa/common/instruction.h"

namespace gt200::model {

enum class issue_path : std::uint8_t { fixed, special, memory, control };
inline constexpr unsigned issue_paths = 4;

inline issue_path path_of(const isa::instruction& i) {
  if (i.unit == isa::unit_class::control || i.unit == isa::unit_class::barrier) return issue_path::control;
  // A command to the L1 goes the way of the accesses, in their order.
  if (i.access.kind != isa::access_kind::none || i.access.drops_lines) return issue_path::memory;
  return i.variable_latency ? issue_path::special : issue_path::fixed;
}

}  // namespace gt200::model
