#include "toolchain/launch/fermi/abi.h"

#include <algorithm>

namespace gt200::launch::fermi {
namespace {

void put_word(std::vector<std::uint8_t>& bytes, std::size_t offset, std::uint32_t value) {
  for (unsigned k = 0; k < 4; ++k) bytes[offset + k] = static_cast<std::uint8_t>(value >> (8 * k));
}

std::string range_text(const char* what, char axis, std::uint32_t value, std::uint32_t limit) {
  return std::string(what) + "." + axis + " is " + std::to_string(value) + ", allowed are 1 to " +
         std::to_string(limit);
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
  static constexpr char axis[] = "xyz";
  if (launch.kernel == nullptr) return "no kernel";
  for (std::size_t i = 0; i < 3; ++i) {
    if (launch.grid[i] < 1 || launch.grid[i] > max_grid)
      return range_text("grid", axis[i], launch.grid[i], max_grid);
    if (launch.block[i] < 1 || launch.block[i] > max_block[i])
      return range_text("block", axis[i], launch.block[i], max_block[i]);
  }
  if (threads_per_block(launch) > max_block_threads)
    return "the block has " + std::to_string(threads_per_block(launch)) + " threads, at most " +
           std::to_string(max_block_threads) + " are possible";
  if (launch.parameter_bytes.size() > cubin::fermi.max_parameter_bytes)
    return "the parameters take " + std::to_string(launch.parameter_bytes.size()) + " bytes, at most " +
           std::to_string(cubin::fermi.max_parameter_bytes) + " are possible";
  if (launch.dynamic_shared > cubin::fermi.max_shared_bytes ||
      fermi::shared_bytes_per_block(launch) > cubin::fermi.max_shared_bytes)
    return "the block needs " + std::to_string(std::uint64_t{launch.kernel->shared_bytes} + launch.dynamic_shared) +
           " bytes of shared memory, at most " + std::to_string(cubin::fermi.max_shared_bytes) + " are possible";
  return {};
}

}  // namespace gt200::launch::fermi
