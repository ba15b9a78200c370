#include "sc_models/distribution/occupancy.h"

#include <algorithm>

namespace gt200::model {

namespace {

constexpr std::uint32_t round_up(std::uint32_t value, std::uint32_t granule) {
  return (value + granule - 1) / granule * granule;
}

}  // namespace

const char* name_of(sm_resource resource) {
  switch (resource) {
    case sm_resource::blocks: return "block slots";
    case sm_resource::warps: return "warps";
    case sm_resource::threads: return "threads";
    case sm_resource::registers: return "registers";
    case sm_resource::shared_memory: return "bytes of shared memory";
    case sm_resource::barriers: return "barriers";
  }
  return "";
}

block_needs needs_of(const config::limits_config& limits, const grid_descriptor& grid) {
  block_needs needs;
  needs.warps = grid.warps_per_block();
  needs.threads = needs.warps * isa::warp_size;
  needs.registers =
      round_up(round_up(needs.warps, limits.warp_granule) * isa::warp_size * limits.registers_taken(grid.registers),
               limits.register_granule);
  needs.shared_bytes = round_up(grid.shared_bytes, limits.shared_granule_bytes);
  needs.barriers = std::max(1u, grid.barriers);
  return needs;
}

occupancy blocks_per_sm(const config::limits_config& limits, const grid_descriptor& grid) {
  const block_needs needs = needs_of(limits, grid);
  occupancy result{limits.blocks, sm_resource::blocks, 1, limits.blocks};
  const auto limit = [&result](sm_resource resource, std::uint32_t needed, std::uint32_t available) {
    if (needed != 0 && available / needed < result.blocks_per_sm)
      result = {available / needed, resource, needed, available};
  };
  limit(sm_resource::warps, needs.warps, limits.warps);
  limit(sm_resource::threads, needs.threads, limits.threads);
  limit(sm_resource::registers, needs.registers, limits.registers);
  limit(sm_resource::shared_memory, needs.shared_bytes, limits.shared_bytes);
  limit(sm_resource::barriers, needs.barriers, limits.barriers);
  return result;
}

}  // namespace gt200::model
