// The values of Fermi's special registers, from the place of a warp.
#pragma once

#include <cstdint>

#include "toolchain/arch_state/generation.h"

namespace gt200::arch_state::fermi {

// Fills 32 lanes with special register `number`. `place.block` must be set.
void special_values(std::uint8_t number, const warp_place& place, const machine_size& machine,
                    std::uint32_t* lanes);

}  // namespace gt200::arch_state::fermi
