// Blocks per SM as NVIDIA's occupancy tables give them, and the resource that limits them.
#include "sc_models/distribution/occupancy.h"

#include <gtest/gtest.h>

#include "sc_models/config/load.h"

namespace gt200::model {
namespace {

config::limits_config limits_of(const std::string& preset) {
  return config::load(std::string(GT200_SOURCE_DIR "/configs/") + preset + ".toml").values.tpc.sm.limits;
}

grid_descriptor block_of(std::uint32_t threads, std::uint32_t registers, std::uint32_t shared_bytes = 16,
                         std::uint32_t barriers = 0) {
  grid_descriptor grid;
  grid.block = {threads, 1, 1};
  grid.registers = registers;
  grid.shared_bytes = shared_bytes;
  grid.barriers = barriers;
  return grid;
}

struct example {
  const char* preset;
  std::uint32_t threads;
  std::uint32_t registers;
  std::uint32_t shared_bytes;
  std::uint32_t blocks;
  sm_resource limited_by;
};

TEST(occupancy_test, follows_the_published_rules) {
  const example examples[] = {
      // Registers at 256 threads on compute capability 1.3: full, three quarters, half, a quarter.
      {"gt200", 256, 16, 16, 4, sm_resource::warps},
      {"gt200", 256, 17, 16, 3, sm_resource::registers},
      {"gt200", 256, 32, 16, 2, sm_resource::registers},
      {"gt200", 256, 64, 16, 1, sm_resource::registers},
      {"gt200", 512, 33, 16, 0, sm_resource::registers},
      // 1920 registers of a block become 2048: four fill the 8192 of compute capability 1.0.
      {"g80", 192, 10, 16, 4, sm_resource::warps},
      {"g80", 192, 11, 16, 3, sm_resource::registers},
      // Block slots, and odd numbers of warps: registers of two.
      {"gt200", 32, 4, 16, 8, sm_resource::blocks},
      {"gt200", 32, 33, 16, 6, sm_resource::registers},
      {"gt200", 96, 32, 16, 4, sm_resource::registers},
      // Shared memory in granules of 512 bytes.
      {"gt200", 64, 4, 2048, 8, sm_resource::blocks},
      {"gt200", 64, 4, 2049, 6, sm_resource::shared_memory},
      {"gt200", 64, 4, 16384, 1, sm_resource::shared_memory},
      {"gt200", 64, 4, 16385, 0, sm_resource::shared_memory},
  };
  for (const example& e : examples) {
    SCOPED_TRACE(std::string(e.preset) + " " + std::to_string(e.threads) + " threads, " +
                 std::to_string(e.registers) + " registers, " + std::to_string(e.shared_bytes) + " bytes");
    const occupancy fit = blocks_per_sm(limits_of(e.preset), block_of(e.threads, e.registers, e.shared_bytes));
    EXPECT_EQ(fit.blocks_per_sm, e.blocks);
    EXPECT_EQ(fit.limited_by, e.limited_by) << name_of(fit.limited_by);
  }
}

TEST(occupancy_test, counts_barriers) {
  const config::limits_config limits = limits_of("gt200");
  EXPECT_EQ(blocks_per_sm(limits, block_of(32, 4, 16, 2)).blocks_per_sm, 8u);
  EXPECT_EQ(blocks_per_sm(limits, block_of(32, 4, 16, 3)).blocks_per_sm, 5u);
  EXPECT_EQ(blocks_per_sm(limits, block_of(32, 4, 16, 3)).limited_by, sm_resource::barriers);
}

TEST(occupancy_test, of_shared_registers_counts_what_warps_keep_and_leaves_a_section) {
  const config::limits_config limits = limits_of("gt200");
  grid_descriptor grid = block_of(256, 20);
  EXPECT_EQ(blocks_per_sm(limits, grid).blocks_per_sm, 3u);
  EXPECT_EQ(section_pool_of(limits, grid).sections, 0u);
  grid.base_registers = 14;  // 8 warps x 14 rows of 512 each, 6 rows per section
  EXPECT_EQ(blocks_per_sm(limits, grid).blocks_per_sm, 4u);
  EXPECT_EQ(section_pool_of(limits, grid).first_row, 448u);
  EXPECT_EQ(section_pool_of(limits, grid).sections, 10u);
  grid.base_registers = 16;  // four blocks would leave no section
  EXPECT_EQ(blocks_per_sm(limits, grid).blocks_per_sm, 3u);
  EXPECT_EQ(section_pool_of(limits, grid).sections, 32u);
  grid.base_registers = 14;
  grid.has_paired_sections = true;  // with four sections a block takes 136 rows, in granules 144
  EXPECT_EQ(needs_of(limits, grid).registers, 4608u);
  EXPECT_EQ(layout_of(limits, grid).first_section_of_block, 112u);
  EXPECT_EQ(blocks_per_sm(limits, grid).blocks_per_sm, 3u);
  EXPECT_EQ(section_pool_of(limits, grid).sections, 0u) << "they lie with their blocks";
}

TEST(occupancy_test, a_thread_takes_at_least_the_registers_that_are_configured) {
  config::limits_config limits = limits_of("gt200");
  EXPECT_EQ(needs_of(limits, block_of(256, 1)).registers, 512u) << "8 warps x 32 x 1, in granules of 512";
  limits = limits_of("gt200_as_described");  // 4 to 128 registers per thread
  EXPECT_EQ(needs_of(limits, block_of(256, 1)).registers, 1024u);
  EXPECT_EQ(needs_of(limits, block_of(256, 4)).registers, 1024u);
  EXPECT_EQ(needs_of(limits, block_of(64, 128)).registers, 8192u);
}

TEST(occupancy_test, a_block_of_1024_threads_fits_where_the_limits_allow_it) {
  EXPECT_EQ(blocks_per_sm(limits_of("gt200"), block_of(1024, 16)).blocks_per_sm, 1u);
  EXPECT_EQ(blocks_per_sm(limits_of("gt200"), block_of(1024, 17)).limited_by, sm_resource::registers);
}

TEST(occupancy_test, says_what_a_block_takes) {
  const block_needs needs = needs_of(limits_of("gt200"), block_of(96, 17, 100, 0));
  EXPECT_EQ(needs.warps, 3u);
  EXPECT_EQ(needs.threads, 96u);
  EXPECT_EQ(needs.registers, 2560u);  // 4 warps x 32 x 17 = 2176
  EXPECT_EQ(needs.shared_bytes, 512u);
  EXPECT_EQ(needs.barriers, 1u);
}

}  // namespace
}  // namespace gt200::model
