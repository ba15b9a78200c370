// Can execution leave the code of a kernel at its end?
#pragma once

#include <vector>

#include "toolchain/assembler/code_layout.h"

namespace gt200::assembler {

// The first instruction, in program order, that is reachable and may continue behind the last one; nullptr when
// there is none. Paths into raw words are not followed. Items must be laid out.
const code_item* runs_past_end(const std::vector<code_item>& items);

}  // namespace gt200::assembler
