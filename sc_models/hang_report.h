// Whether a launch moves, and what waits for what when it does not. Looks at the chip from outside between two runs
// of the simulation; changes nothing.
#pragma once

#include <cstdint>
#include <string>

#include "sc_models/chip.h"

namespace gt200::model {

// Grows whenever an instruction issues, completes, or a block retires anywhere, and whenever a partition takes an
// access, performs one, or moves data from or to its DRAM: accesses to one place can queue for each other much
// longer than any of them takes.
std::uint64_t progress_of(const chip& c);

// First what matters, in a few lines: the state of the grid, credits that are lost, warps grouped by what they wait
// for with the instruction of one of them, and what modules have outstanding. Then every unfinished warp with its
// block, program counter and what it waits for, and every queue that is not empty.
std::string explain_hang(chip& c);

}  // namespace gt200::model
