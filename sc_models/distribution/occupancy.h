// How many blocks of a grid an SM can hold at once, and which resource limits their number.
//
// A block takes warps = ceil(threads / 32), registers = ceil(ceil(warps, warp_granule) x 32 x registers per thread,
// register_granule), shared memory rounded up to its granule, one block slot and its barrier counters (at least
// one). Plain functions without time. Source: CUDA C Programming Guide 4.2, appendix F; NVIDIA's occupancy tables;
// barriers: envytools.
#pragma once

#include <cstdint>

#include "sc_models/config/sm_config.h"
#include "sc_models/grid_descriptor.h"

namespace gt200::model {

enum class sm_resource : std::uint8_t { blocks, warps, threads, registers, shared_memory, barriers };
const char* name_of(sm_resource resource);

// The resources that one block takes from an SM, including granules.
struct block_needs {
  std::uint32_t warps = 0;
  std::uint32_t threads = 0;  // whole warps
  std::uint32_t registers = 0;
  std::uint32_t shared_bytes = 0;
  std::uint32_t barriers = 0;
};
block_needs needs_of(const config::limits_config& limits, const grid_descriptor& grid);

struct occupancy {
  std::uint32_t blocks_per_sm = 0;               // 0: the block does not fit
  sm_resource limited_by = sm_resource::blocks;  // the first resource above that allows no more blocks
  std::uint32_t needed = 0;                      // by one block, of that resource
  std::uint32_t available = 0;                   // in the SM
};
occupancy blocks_per_sm(const config::limits_config& limits, const grid_descriptor& grid);

}  // namespace gt200::model
