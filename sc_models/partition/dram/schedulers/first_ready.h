// The common part of schedulers: among some of the oldest requests, the first one that is ready.
#pragma once

#include "sc_models/partition/dram/next_command.h"

namespace gt200::model {

// Considers the column commands of the `candidates` oldest requests; ties go to the oldest. Then it considers the
// activate or precharge for the oldest request of each bank, unless a candidate uses the row that is open there.
void consider_first_ready(const dram_state& state, unsigned candidates, next_dram_command& best);
// The same if all requests except the newest have already been considered.
void consider_newest_first_ready(const dram_state& state, unsigned candidates, next_dram_command& best);

}  // namespace gt200::model
