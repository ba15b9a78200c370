#include "toolchain/launch/fermi/abi.h"

#include <algorithm>

#include "toolchain/launch/launch_limits.h"

namespace gt200::launch::fermi {
namespace {

void put_word(std::vector<std::uint8_t>& bytes, std::size_t offset, std::uint32_t value) {
  for (unsigned k = 0; k < 4; ++k) bytes[offset + k] = static_cast<std::uint8_t>(value >> (8 * k));
}

}  // namespace

std::vector<std::uint8_t> launch_constants(const launch_parameters& launch, std::uint32_t shared_window,
                                           std::uint32_t local_window) {
  const std::uint32_t base = std::max(launch.kernel->parameter_base, cubin::fermi_parameter_base);
  std::vector<std::uint8_t> bytes((base + launch.parameter_bytes.size() + 3) / 4 * 4);
  const std::array<std::uint32_t, 8> words = {shared_window,   local_window,   launch.block[0], launch.block[1],
                                              launch.block[2], launch.grid[0], launch.grid[1],  launch.grid[2]};
  for (std::size_t i = 0; i < words.size(); ++i) put_word(bytes, 4 * i, words[i]);
  std::copy(launch.parameter_bytes.begin(), launch.parameter_bytes.end(), bytes.begin() + base);
  return bytes;
}

std::vector<std::uint8_t> stack_constants(const launch_parameters& launch) {
  std::vector<std::uint8_t> bytes(stack_end_offset + 4);
  put_word(bytes, stack_end_offset, launch.kernel->local_bytes);
  return bytes;
}

std::uint32_t local_allocation(std::uint32_t bytes) {
  std::uint32_t allocation = bytes == 0 ? 0 : 16;
  while (allocation < bytes) allocation *= 2;
  return allocation;
}

std::string refusal(const launch_parameters& launch, std::uint32_t max_block_threads) {
  return refusal_by_limits(launch, cubin::fermi, {max_grid, max_grid, max_grid}, max_block, max_block_threads);
}

}  // namespace gt200::launch::fermi
