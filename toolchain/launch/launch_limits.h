// The limits of a launch that all generations since Fermi have in the same form.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "toolchain/cubin/limits.h"
#include "toolchain/launch/launch_parameters.h"

namespace gt200::launch {

// Says which limit the grid exceeds; empty if none.
std::string refusal_by_limits(const launch_parameters& launch, const cubin::architecture& generation,
                              const std::array<std::uint32_t, 3>& max_grid,
                              const std::array<std::uint32_t, 3>& max_block, std::uint32_t max_block_threads);

}  // namespace gt200::launch
