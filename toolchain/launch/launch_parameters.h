// One grid, as the host hands it to the chip: the same for all generations.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "toolchain/cubin/module.h"

namespace gt200::launch {

// Blocks of a grid in x, y and z. A direction that is not given has one block.
struct grid_size : std::array<std::uint32_t, 3> {
  constexpr grid_size(std::uint32_t x = 1, std::uint32_t y = 1, std::uint32_t z = 1)
      : std::array<std::uint32_t, 3>{x, y, z} {}

  constexpr std::uint64_t blocks() const { return std::uint64_t{(*this)[0]} * (*this)[1] * (*this)[2]; }
};

struct launch_parameters {
  const cubin::kernel* kernel = nullptr;           // not owned
  grid_size grid;                                  // blocks
  std::array<std::uint32_t, 3> block = {1, 1, 1};  // threads
  std::uint32_t dynamic_shared = 0;                // bytes behind the static shared memory
  std::vector<std::uint8_t> parameter_bytes;       // packed, first byte goes to the first parameter
  std::uint16_t grid_id = 0;
  bool warp_synchronous = false;  // relies on the threads of a warp running together
};

constexpr std::uint32_t threads_per_block(const launch_parameters& launch) {
  return launch.block[0] * launch.block[1] * launch.block[2];
}
constexpr std::uint32_t warps_per_block(const launch_parameters& launch) {
  return (threads_per_block(launch) + 31) / 32;
}

}  // namespace gt200::launch
