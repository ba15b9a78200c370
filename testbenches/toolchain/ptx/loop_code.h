// The instructions of the loops in machine code for Tesla.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "toolchain/assembler/code_walk.h"
#include "toolchain/cubin/module.h"

namespace gt200::ptx {

// From the head of the shortest loop to the branch back.
inline std::vector<isa::tesla::instruction> inner_loop(const cubin::kernel& kernel) {
  std::vector<std::uint32_t> at;
  std::vector<isa::tesla::instruction> code;
  std::vector<isa::tesla::instruction> shortest;
  assembler::walk_code(kernel.code, [&](const assembler::code_step& step) {
    at.push_back(step.address);
    code.push_back(step.instruction.value());
    if (code.back().op != isa::tesla::opcode::bra || code.back().target > step.address) return;
    std::size_t head = 0;
    while (at[head] < code.back().target) ++head;
    if (shortest.empty() || code.size() - head < shortest.size())
      shortest.assign(code.begin() + static_cast<std::ptrdiff_t>(head), code.end());
  });
  return shortest;
}

}  // namespace gt200::ptx
