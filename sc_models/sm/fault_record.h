// A fault with the information that the SM has. The driver adds kernel name, disassembly and source line.
#pragma once

#include <cstdint>

#include "toolchain/arch_state/fault.h"

namespace gt200::model {

struct fault_record {
  arch_state::fault_kind kind = arch_state::fault_kind::none;
  std::uint64_t instruction_id = 0;
  isa::code_address pc = 0;
  std::uint32_t words[2] = {0, 0};
  std::uint32_t block_id = 0;
  unsigned warp_in_block = 0;
  isa::lane_mask lanes = 0;
  std::uint64_t address = 0;
};

}  // namespace gt200::model
