// Which registers of a thread hold a value that may still be needed, at every instruction of a kernel.
//
// A register counts if one of its halves does. A predicated instruction, or one that writes some lanes of a quad,
// does not end the life of the old value. A value lives only where an instruction may have written it: what is read
// and was never written is undefined, and nobody has to keep it.
#pragma once

#include <bitset>
#include <vector>

#include "toolchain/isa/tesla/instruction.h"
#include "toolchain/register_sharing/code_graph.h"

namespace gt200::register_sharing {

using register_set = std::bitset<isa::tesla::max_gpr>;

struct register_life {
  register_set before, after;  // alive
  register_set reads, writes;
  register_set keeps;    // written in a part, so that the rest of the old value stays
  register_set grouped;  // in an operand of several registers, or where two operands share a field
};

// By node of the graph. Registers from `registers` on do not exist.
std::vector<register_life> find_life(const code_graph& graph, unsigned registers);

}  // namespace gt200::register_sharing
