#include "sc_models/distribution/launch_check.h"

#include <algorithm>

#include "sc_models/distribution/occupancy.h"

namespace gt200::model {

namespace {

using arch_state::generation_values;

constexpr std::uint32_t min_local_bytes = 16;

launch_refusal check_dimensions(const generation_values& generation, const config::limits_config& limits,
                                const grid_descriptor& grid) {
  for (std::size_t i = 0; i < 3; ++i)
    if (grid.grid[i] == 0 || grid.grid[i] > generation.max_grid[i])
      return {launch_error::grid_dimension, grid.grid[i], generation.max_grid[i]};
  for (std::size_t i = 0; i < 3; ++i)
    if (grid.block[i] == 0 || grid.block[i] > generation.max_block[i])
      return {launch_error::block_dimension, grid.block[i], generation.max_block[i]};
  if (grid.threads() > limits.threads_per_block)
    return {launch_error::threads_per_block, grid.threads(), limits.threads_per_block};
  return {};
}

launch_refusal check_parameters(const generation_values& generation, const grid_descriptor& grid) {
  const auto bytes = static_cast<std::uint32_t>(grid.parameters.size());
  const std::uint32_t header = generation.shared_header_bytes;
  const std::uint32_t behind_header = grid.shared_bytes < header ? 0 : grid.shared_bytes - header;
  const std::uint32_t possible = std::min(generation.max_parameter_bytes, behind_header);
  if (grid.shared_bytes < header || bytes > possible) return {launch_error::parameter_bytes, bytes, possible};
  return {};
}

launch_refusal check_occupancy(const config::limits_config& limits, const grid_descriptor& grid) {
  const occupancy fit = blocks_per_sm(limits, grid);
  if (fit.blocks_per_sm != 0) return {};
  switch (fit.limited_by) {
    case sm_resource::threads: return {launch_error::block_threads, fit.needed, fit.available};
    case sm_resource::registers: return {launch_error::block_registers, fit.needed, fit.available};
    case sm_resource::shared_memory: return {launch_error::block_shared_memory, fit.needed, fit.available};
    case sm_resource::barriers: return {launch_error::block_barriers, fit.needed, fit.available};
    case sm_resource::blocks:
    case sm_resource::warps: break;
  }
  return {launch_error::block_warps, fit.needed, fit.available};
}

launch_refusal check_local_memory(const generation_values& generation, const config::limits_config& limits,
                                  std::uint32_t sms, const grid_descriptor& grid) {
  const std::uint32_t bytes = grid.local_bytes;
  if (bytes == 0) return {};
  if (bytes < min_local_bytes || bytes > generation.max_local_bytes || (bytes & (bytes - 1)) != 0)
    return {launch_error::local_memory, bytes, generation.max_local_bytes};
  const std::uint64_t threads = std::uint64_t{sms} * limits.warps * isa::warp_size;
  const std::uint64_t end = generation.end_of_device_memory();
  const std::uint64_t room = end - std::min(grid.local_base, end);
  if (threads * bytes > room)
    return {launch_error::local_memory, bytes, static_cast<std::uint32_t>(room / threads)};
  return {};
}

}  // namespace

const char* name_of(launch_error error) {
  switch (error) {
    case launch_error::none: return "none";
    case launch_error::grid_dimension: return "grid dimension";
    case launch_error::block_dimension: return "block dimension";
    case launch_error::threads_per_block: return "threads per block";
    case launch_error::thread_allocation: return "allocated threads that are not those of the block";
    case launch_error::registers_per_thread: return "registers per thread";
    case launch_error::parameter_bytes: return "bytes of parameters";
    case launch_error::block_warps: return "warps per block";
    case launch_error::block_threads: return "threads per block in whole warps";
    case launch_error::block_registers: return "registers per block";
    case launch_error::block_shared_memory: return "bytes of shared memory per block";
    case launch_error::block_barriers: return "barriers per block";
    case launch_error::local_memory: return "bytes of local memory per thread";
    case launch_error::code: return "offset of the first instruction in the code";
    case launch_error::queue_full: return "launches waiting";
    case launch_error::faulted: return "launch after a fault";
    case launch_error::resetting: return "launch before the end of a reset";
  }
  return "";
}

std::string describe(const launch_refusal& refusal) {
  if (refusal.error == launch_error::none) return "none";
  if (refusal.error == launch_error::faulted || refusal.error == launch_error::resetting)
    return name_of(refusal.error);
  return std::string(name_of(refusal.error)) + ": " + std::to_string(refusal.value) + " asked for, " +
         std::to_string(refusal.limit) + " possible";
}

launch_refusal check_launch(const arch_state::generation_values& generation, const config::limits_config& limits,
                            std::uint32_t sms, const grid_descriptor& grid) {
  if (const auto refusal = check_dimensions(generation, limits, grid)) return refusal;
  if (grid.registers == 0 || grid.registers > limits.registers_per_thread)
    return {launch_error::registers_per_thread, grid.registers, limits.registers_per_thread};
  if (grid.base_registers >= grid.registers)
    return {launch_error::registers_per_thread, grid.base_registers, grid.registers - 1};
  if (const auto refusal = check_parameters(generation, grid)) return refusal;
  if (const auto refusal = check_occupancy(limits, grid)) return refusal;
  if (const auto refusal = check_local_memory(generation, limits, sms, grid)) return refusal;
  if (grid.code_bytes > generation.max_code_bytes() || grid.entry % 4 != 0 || grid.entry >= grid.code_bytes)
    return {launch_error::code, grid.entry, grid.code_bytes};
  return {};
}

}  // namespace gt200::model
