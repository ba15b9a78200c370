// A decoded instruction in the instruction buffer, as its neighbours see it.
#pragma once

#include <cstdint>

#include "sc_models/sm/stage_tokens.h"

namespace gt200::model {

struct buffered_instruction {
  const isa::instruction* instruction = nullptr;
  const grid_descriptor* grid = nullptr;
  std::uint64_t id = 0;
  isa::code_address pc = 0;
  // Set by the buffer, of unit_list.h:
  collector_class collector{};
  std::uint8_t alternatives = 0;  // bit a: it may issue to alternatives()[a]
  // found at fetch or decode; takes effect in program order
  arch_state::fault_kind fault = arch_state::fault_kind::none;
  std::uint64_t dependencies = 0;  // outstanding dependencies; the scoreboard defines the bits
  std::uint64_t allocated = 0;     // scoreboard entries it holds
};

}  // namespace gt200::model
