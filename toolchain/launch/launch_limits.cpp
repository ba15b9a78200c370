#include "toolchain/launch/launch_limits.h"

#include "toolchain/cubin/module.h"
#include "toolchain/launch/block_bounds.h"

namespace gt200::launch {
namespace {

std::string range_text(const char* what, char axis, std::uint32_t value, std::uint32_t limit) {
  return std::string(what) + "." + axis + " is " + std::to_string(value) + ", allowed are 1 to " +
         std::to_string(limit);
}

}  // namespace

std::string refusal_by_limits(const launch_parameters& launch, const cubin::architecture& generation,
                              const std::array<std::uint32_t, 3>& max_grid,
                              const std::array<std::uint32_t, 3>& max_block, std::uint32_t max_block_threads) {
  static constexpr char axis[] = "xyz";
  if (launch.kernel == nullptr) return "no kernel";
  for (std::size_t i = 0; i < 3; ++i) {
    if (launch.grid[i] < 1 || launch.grid[i] > max_grid[i])
      return range_text("grid", axis[i], launch.grid[i], max_grid[i]);
    if (launch.block[i] < 1 || launch.block[i] > max_block[i])
      return range_text("block", axis[i], launch.block[i], max_block[i]);
  }
  if (threads_per_block(launch) > max_block_threads)
    return "the block has " + std::to_string(threads_per_block(launch)) + " threads, at most " +
           std::to_string(max_block_threads) + " are possible";
  if (std::string reason = refusal_by_bounds(*launch.kernel, launch.block); !reason.empty()) return reason;
  if (launch.parameter_bytes.size() > generation.max_parameter_bytes)
    return "the parameters take " + std::to_string(launch.parameter_bytes.size()) + " bytes, at most " +
           std::to_string(generation.max_parameter_bytes) + " are possible";
  if (launch.dynamic_shared > generation.max_shared_bytes ||
      std::uint64_t{launch.kernel->shared_bytes} + launch.dynamic_shared > generation.max_shared_bytes)
    return "the block needs " + std::to_string(std::uint64_t{launch.kernel->shared_bytes} + launch.dynamic_shared) +
           " bytes of shared memory, at most " + std::to_string(generation.max_shared_bytes) + " are possible";
  return {};
}

}  // namespace gt200::launch
