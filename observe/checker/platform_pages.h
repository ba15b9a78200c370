// The page tables that a platform has written into the memory of its chip.
#pragma once

#include "sc_models/chip.h"
#include "sc_models/memory_path/page_table.h"

namespace gt200::observe {

// All mapped pages. Throws input_error if an entry names pages that the configuration does not have.
model::page_table pages_in_memory(model::chip& chip);

}  // namespace gt200::observe
