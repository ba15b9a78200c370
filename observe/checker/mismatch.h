// The first difference between cycle model and reference, as text for both sides.
#pragma once

#include <cstdint>
#include <string>

#include "sc_models/slots.h"
#include "toolchain/isa/common/instruction.h"

namespace gt200::observe {

struct mismatch {
  std::uint64_t cycle = 0;  // core cycle
  std::string place;        // hierarchical name of the SM; empty if no SM is involved
  std::string kernel;
  bool has_instruction = false;  // the fields up to `disassembly` are valid
  std::uint32_t block_x = 0;
  std::uint32_t block_y = 0;
  std::uint32_t block_z = 0;
  unsigned warp = 0;  // in the block
  model::warp_slot slot;
  std::uint64_t id = 0;  // of the instruction, as logs and waves show it (sc_models/ids.h)
  isa::code_address pc = 0;
  std::uint32_t line = 0;  // of the source; 0 = unknown
  std::string disassembly;
  int lane = -1;  // -1: no specific lane
  std::string what;
  std::string expected;  // reference
  std::string got;       // model
};

// Several lines without a final newline.
std::string describe(const mismatch& m);

}  // namespace gt200::observe
