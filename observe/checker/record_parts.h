// Splits the record of an instruction whose threads are of several blocks, and puts the parts together again.
#pragma once

#include "toolchain/arch_state/step_record.h"

namespace gt200::observe {

// Leaves these lanes alone active.
void keep_lanes(arch_state::step_record& record, isa::lane_mask lanes);
// Takes what `part` has of its active lanes: values, progress and faults. The fault of the part that comes first
// wins; one of the same kind adds its lanes.
void merge_part(arch_state::step_record& record, const arch_state::step_record& part);

}  // namespace gt200::observe
