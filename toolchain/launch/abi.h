// The initial state of a thread block: the first bytes of its shared memory, and $r0 of every thread.
//
//   s[0x00] u16 grid id    s[0x02] s[0x04] s[0x06] u16 ntid.x .y .z
//   s[0x08] s[0x0a] u16 nctaid.x .y    s[0x0c] s[0x0e] u16 ctaid.x .y
//   s[0x10] parameters in order, each aligned to its own size; then static, then dynamic shared memory
//   $r0 = tid.x | tid.y << 16 | tid.z << 26
//
// Threads fill warps with x running fastest, then y, then z.
//
// Sources: layout measured with decuda's readshared programs, $r0 from mesa nv50_compute.c; limits:
// toolchain/arch_state/tesla/launch_limits.h.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "toolchain/arch_state/tesla/launch_limits.h"
#include "toolchain/cubin/module.h"
#include "toolchain/launch/block_bounds.h"
#include "toolchain/launch/launch_parameters.h"

namespace gt200::launch {

using arch_state::tesla::max_block;
using arch_state::tesla::max_parameter_bytes;
using arch_state::tesla::shared_header_bytes;
inline constexpr std::uint32_t max_shared_bytes = 16384;
inline constexpr std::uint32_t max_threads_per_block = 512;  // of real chips; a configuration may differ
inline constexpr std::uint32_t max_grid = arch_state::tesla::max_grid[0];  // in x and in y

constexpr std::uint32_t align_up(std::uint32_t value, std::uint32_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

constexpr std::uint32_t pack_thread_id(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  return (x & 0xffffu) | (y & 0x3ffu) << 16 | (z & 0x3fu) << 26;
}

// Initial $r0 of the thread with this number (0 .. threads - 1) in the block.
constexpr std::uint32_t initial_r0(std::uint32_t thread, const std::array<std::uint32_t, 3>& block) {
  return pack_thread_id(thread % block[0], thread / block[0] % block[1], thread / block[0] / block[1]);
}

constexpr std::uint32_t blocks_in_grid(const launch_parameters& launch) { return launch.grid[0] * launch.grid[1]; }

// Bytes of shared memory a block occupies before rounding to the allocation granule. Text cubins count the
// parameters in `smem`; the maximum covers containers that do not.
inline std::uint32_t shared_bytes_per_block(const launch_parameters& launch) {
  const auto parameters = static_cast<std::uint32_t>(launch.parameter_bytes.size());
  return std::max(launch.kernel->shared_bytes, shared_header_bytes + parameters) + launch.dynamic_shared;
}

// Writes header and parameters of block (x, y) to `shared`, which has room for at least
// shared_header_bytes + parameter_bytes.size(). The bytes behind them are not touched: their content at the
// start of a block is undefined on the hardware.
inline void write_shared_image(const launch_parameters& launch, std::uint32_t x, std::uint32_t y,
                               std::uint8_t* shared) {
  const std::array<std::uint32_t, 8> header = {
      launch.grid_id, launch.block[0], launch.block[1], launch.block[2], launch.grid[0], launch.grid[1], x, y};
  for (std::size_t i = 0; i < header.size(); ++i) {
    shared[2 * i] = static_cast<std::uint8_t>(header[i]);
    shared[2 * i + 1] = static_cast<std::uint8_t>(header[i] >> 8);
  }
  std::copy(launch.parameter_bytes.begin(), launch.parameter_bytes.end(), shared + shared_header_bytes);
}

// Says why hardware with blocks of up to `max_block_threads` threads cannot start this grid; empty if it can. Does
// not check register or warp limits, which belong to the configured chip.
inline std::string refusal(const launch_parameters& launch,
                           std::uint32_t max_block_threads = max_threads_per_block) {
  static constexpr char axis[] = "xyz";
  if (launch.kernel == nullptr) return "no kernel";
  for (std::size_t i = 0; i < 2; ++i)
    if (launch.grid[i] < 1 || launch.grid[i] > max_grid)
      return std::string("grid.") + axis[i] + " is " + std::to_string(launch.grid[i]) + ", allowed are 1 to " +
             std::to_string(max_grid);
  if (launch.grid[2] != 1) return "grids have two dimensions, grid.z is " + std::to_string(launch.grid[2]);
  for (std::size_t i = 0; i < 3; ++i)
    if (launch.block[i] < 1 || launch.block[i] > max_block[i])
      return std::string("block.") + axis[i] + " is " + std::to_string(launch.block[i]) + ", allowed are 1 to " +
             std::to_string(max_block[i]);
  if (threads_per_block(launch) > max_block_threads)
    return "the block has " + std::to_string(threads_per_block(launch)) + " threads, at most " +
           std::to_string(max_block_threads) + " are possible";
  if (std::string reason = refusal_by_bounds(*launch.kernel, launch.block); !reason.empty()) return reason;
  if (launch.parameter_bytes.size() > max_parameter_bytes)
    return "the parameters take " + std::to_string(launch.parameter_bytes.size()) + " bytes, at most " +
           std::to_string(max_parameter_bytes) + " are possible";
  if (launch.dynamic_shared > max_shared_bytes || shared_bytes_per_block(launch) > max_shared_bytes)
    return "the block needs " +
           std::to_string(static_cast<std::uint64_t>(launch.kernel->shared_bytes) + launch.dynamic_shared) +
           " bytes of shared memory, at most " + std::to_string(max_shared_bytes) + " are possible";
  return {};
}

}  // namespace gt200::launch
