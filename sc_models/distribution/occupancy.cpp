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

register_layout layout_of(const config::limits_config& limits, const grid_descriptor& grid) {
  register_layout layout;
  layout.rows_per_warp = limits.registers_taken(grid.kept_registers());
  layout.rows_per_section = grid.section_registers();
  const std::uint32_t warps = round_up(grid.warps_per_block(), limits.warp_granule);
  layout.first_section_of_block = warps * layout.rows_per_warp;
  const std::uint32_t sections = grid.has_paired_sections ? (warps + 1) / 2 : 0;
  layout.rows_per_block =
      round_up((layout.first_section_of_block + sections * layout.rows_per_section) * isa::warp_size,
               limits.register_granule) /
      isa::warp_size;
  return layout;
}

block_needs needs_of(const config::limits_config& limits, const grid_descriptor& grid) {
  block_needs needs;
  needs.warps = grid.warps_per_block();
  needs.threads = needs.warps * isa::warp_size;
  const register_layout layout = layout_of(limits, grid);
  needs.registers = layout.rows_per_block * isa::warp_size;
  needs.shared_bytes = round_up(grid.shared_bytes, limits.shared_granule_bytes);
  needs.barriers = std::max(1u, grid.barriers);
  return needs;
}

section_pool_layout section_pool_of(const config::limits_config& limits, const grid_descriptor& grid) {
  section_pool_layout pool;
  if (grid.section_registers() == 0 || grid.has_paired_sections) return pool;
  const std::uint32_t rows = limits.registers / isa::warp_size;
  pool.first_row = blocks_per_sm(limits, grid).blocks_per_sm * layout_of(limits, grid).rows_per_block;
  pool.sections = std::min(limits.warps, (rows - pool.first_row) / grid.section_registers());
  return pool;
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
  // One section at least is left for the warps.
  const std::uint32_t section = grid.has_paired_sections ? 0 : grid.section_registers() * isa::warp_size;
  limit(sm_resource::registers, needs.registers, limits.registers - std::min(section, limits.registers));
  limit(sm_resource::shared_memory, needs.shared_bytes, limits.shared_bytes);
  limit(sm_resource::barriers, needs.barriers, limits.barriers);
  return result;
}

}  // namespace gt200::model
