// Derives from machine code what a kernel needs of the hardware, for containers that do not state it.
#pragma once

#include <cstdint>
#include <vector>

#include "toolchain/isa/tesla/instruction.h"

namespace gt200::assembler {

struct code_demand {
  std::uint32_t registers = 1;      // highest one written + 1; $r0 holds the thread id
  std::uint32_t barrier = 0;        // highest number used
  std::uint32_t shared_bytes = 0;   // end of the highest access at a fixed address
  std::uint32_t local_bytes = 0;    // likewise
  bool has_indexed_shared = false;  // some accesses are at addresses unknown before the run
  bool has_indexed_local = false;
  unsigned capability = 10;
};

// Words that do not decode are ignored.
code_demand demand_of(const std::vector<std::uint32_t>& code);

// One past the highest general register the instruction writes, 0 when it writes none. Only destinations count:
// registers beyond the allocation read as zero, and compilers rely on that.
std::uint32_t registers_written(const isa::tesla::instruction& i);

}  // namespace gt200::assembler
