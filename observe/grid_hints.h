// Hints on the grids of a run, for somebody who compares machines: on a chip that is mostly
// empty, or that is at the end of the grid for long, a change of the machine shows little or something else.
#pragma once

#include <string>
#include <vector>

#include "observe/statistics.h"

namespace gt200::observe {

struct grid_hint {
  std::string kind;    // empty: most issue slots had no warp; uneven: SMs had different numbers of blocks
  std::string place;   // what is so: "the grid has 4 blocks for 30 SMs"
  double percent = 0;  // of the issue slots, without a warp
};

// Empty if there is nothing to say.
std::vector<grid_hint> grid_hints(const statistics& source);

// One line without a label. `percent`: a number, or a range of those of several runs.
std::string text_of(const grid_hint& hint);
std::string text_of(const std::string& kind, const std::string& place, const std::string& percent);

}  // namespace gt200::observe
