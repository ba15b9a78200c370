// Finds code that can run past the end of its kernel.
#pragma once

#include <vector>

#include "toolchain/assembler/code_layout.h"

namespace gt200::assembler {

// Returns the first reachable instruction, in program order, that can continue past the last one, or nullptr. Paths
// into raw words are not followed. Items must be laid out.
const code_item* runs_past_end(const std::vector<code_item>& items);

}  // namespace gt200::assembler
