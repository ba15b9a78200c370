// A decoded instruction with what the front end needs of it at every pass.
//
// It is made once for the words of an instruction (decoded_instructions.h). The line of the instruction cache keeps
// a pointer to it beside the words; a line with other words gets another.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "toolchain/arch_state/fault.h"
#include "toolchain/isa/common/instruction.h"

namespace gt200::model {

struct instruction_descriptor {
  instruction_descriptor() = default;
  // `bytes`: the length that predecoding finds in the first word, also of words that are no instruction.
  instruction_descriptor(std::shared_ptr<const isa::instruction> i, unsigned bytes,
                         arch_state::fault_kind f = arch_state::fault_kind::none)
      : instruction(std::move(i)),
        fault(f),
        length(static_cast<std::uint8_t>(bytes)),
        ends_path(instruction->ends_or_redirects()),
        waits_at_barrier(instruction->unit == isa::unit_class::barrier && instruction->barrier.waits) {}

  std::shared_ptr<const isa::instruction> instruction;
  arch_state::fault_kind fault = arch_state::fault_kind::none;
  std::uint8_t length = 0;        // bytes
  bool ends_path = false;         // fetch stops behind it until a redirect
  bool waits_at_barrier = false;  // of the block
  // The operation that issues when a path arrives at a reconvergence point that acts before its instruction.
  std::unique_ptr<instruction_descriptor> arrival;
};

}  // namespace gt200::model
