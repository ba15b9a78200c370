#include "toolchain/launch/volta/abi.h"

#include <algorithm>

#include "toolchain/cubin/limits.h"
#include "toolchain/cubin/module.h"
#include "toolchain/launch/launch_limits.h"

namespace gt200::launch::volta {

std::vector<std::uint8_t> launch_constants(const launch_parameters& launch, std::uint32_t shared_window,
                                           std::uint32_t local_window) {
  const std::uint32_t base = std::max(launch.kernel->parameter_base, cubin::volta.parameter_base);
  std::vector<std::uint8_t> bytes((base + launch.parameter_bytes.size() + 3) / 4 * 4);
  const auto put = [&bytes](std::size_t offset, std::uint32_t value) {
    for (unsigned k = 0; k < 4; ++k) bytes[offset + k] = static_cast<std::uint8_t>(value >> (8 * k));
  };
  for (std::size_t axis = 0; axis < 3; ++axis) {
    put(4 * axis, launch.block[axis]);
    put(12 + 4 * axis, launch.grid[axis]);
  }
  put(stack_end_offset, launch.kernel->local_bytes);
  put(shared_window_offset, shared_window);
  put(local_window_offset, local_window);
  std::copy(launch.parameter_bytes.begin(), launch.parameter_bytes.end(), bytes.begin() + base);
  return bytes;
}

std::string refusal(const launch_parameters& launch, std::uint32_t max_block_threads) {
  return refusal_by_limits(launch, cubin::volta, max_grid, max_block, max_block_threads);
}

}  // namespace gt200::launch::volta
