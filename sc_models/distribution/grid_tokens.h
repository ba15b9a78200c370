// The tokens between command processor and work distributor.
#pragma once

#include <cstdint>

#include "sc_models/grid_descriptor.h"

namespace gt200::model {

// Command processor -> work distributor: hand out the blocks of this grid.
struct grid_token {
  const grid_descriptor* grid = nullptr;
};

// Work distributor -> command processor: every block has retired, or one has faulted.
struct grid_end_token {
  const grid_descriptor* grid = nullptr;
  bool faulted = false;
  std::uint32_t block_id = 0;  // of the first block that faulted
  std::uint8_t tpc = 0;        // where it ran
  std::uint8_t sm = 0;         // within the TPC
};

}  // namespace gt200::model
