// The part that schedulers share: of some of the oldest requests, the one that is ready first.
#pragma once

#include "sc_models/partition/dram/next_command.h"

namespace gt200::model {

// Considers the column commands of the `candidates` oldest requests, oldest first among equals. Behind them: the
// activate or precharge for the oldest request of each bank, unless a candidate uses the row that is open there.
void consider_first_ready(const dram_state& state, unsigned candidates, next_dram_command& best);
// The same when all but the newest request have been considered.
void consider_newest_first_ready(const dram_state& state, unsigned candidates, next_dram_command& best);

}  // namespace gt200::model
