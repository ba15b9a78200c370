// Values that s2r and cs2r return.
#pragma once

#include "toolchain/arch_state/generation.h"

namespace gt200::arch_state::volta {

// Fills two rows: the register, and the upper word of a clock. Registers that nothing sets up read as zero.
void special_values(std::uint8_t number, const warp_place& place, const machine_size& machine,
                    isa::lane_words* rows);

}  // namespace gt200::arch_state::volta
