// How many blocks of a grid an SM can hold at once, and which resource limits their number.
//
// A block takes warps = ceil(threads / 32), registers = ceil(ceil(warps, warp_granule) x 32 x registers per thread,
// register_granule), shared memory rounded up to its granule, one block slot and its barrier counters (at least
// one). If warps share registers over time, those of a thread are the ones that its warp keeps, and one section
// stays free for the warps; with paired warps a block also takes a section for each two warps. Plain functions
// without time. Source: CUDA C Programming Guide 4.2, appendix F; NVIDIA's occupancy tables; barriers: envytools.
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
// Where the registers of a block lie, in rows of 32 lanes.
struct register_layout {
  std::uint32_t rows_per_warp = 0;     // that the warp keeps
  std::uint32_t rows_per_section = 0;  // 0: the warps of the grid share no registers
  // Paired warps: warps 2n and 2n + 1 of the block share section n, and the sections of a block begin at this row
  // of it.
  std::uint32_t first_section_of_block = 0;
  std::uint32_t rows_per_block = 0;  // including the granule
};
register_layout layout_of(const config::limits_config& limits, const grid_descriptor& grid);

// The sections that all warps of an SM share: the rows behind those of as many blocks as fit.
struct section_pool_layout {
  std::uint32_t first_row = 0;
  std::uint32_t sections = 0;  // 0: there is no such pool
};
section_pool_layout section_pool_of(const config::limits_config& limits, const grid_descriptor& grid);

block_needs needs_of(const config::limits_config& limits, const grid_descriptor& grid);

struct occupancy {
  std::uint32_t blocks_per_sm = 0;               // 0: the block does not fit
  sm_resource limited_by = sm_resource::blocks;  // the first resource above that allows no more blocks
  std::uint32_t needed = 0;                      // by one block, of that resource
  std::uint32_t available = 0;                   // in the SM
};
occupancy blocks_per_sm(const config::limits_config& limits, const grid_descriptor& grid);

}  // namespace gt200::model
