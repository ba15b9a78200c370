// The presets have the properties they claim.
#include <gmock/gmock.h>

#include <filesystem>

#include "sc_models/config/peaks.h"
#include "sc_models/config/print.h"
#include "sc_models/config/schema.h"
#include "sc_models/config/text.h"
#include "testbenches/unit/config/config_files.h"
#include "toolchain/launch/device_memory.h"

namespace gt200::config::test {
namespace {

gpu_config load_preset(const std::string& name) { return load(preset(name)).values; }

// Peak bandwidth in GB/s: 64 bits and two transfers per memory clock and partition.
double peak_bandwidth(const gpu_config& c) { return c.chip.partitions * 8 * 2 * c.clocks.memory_mhz / 1000; }

TEST(peaks, of_the_gtx_280_are_the_advertised_ones) {
  const gpu_config c = load_preset("gt200");
  EXPECT_NEAR(peak_dram_bytes_per_second(c) * 1e-9, 141.7, 0.1);
  EXPECT_NEAR(peak_single_flops(c) * 1e-9, 622.1, 0.1);
  EXPECT_NEAR(peak_double_flops(c) * 1e-9, 77.8, 0.1);
}

// Compute capability 1.0 has no instruction with doubles.
TEST(peaks, of_the_8800_gtx_are_the_advertised_ones_and_0_in_double_precision) {
  const gpu_config c = load_preset("g80");
  EXPECT_NEAR(peak_dram_bytes_per_second(c) * 1e-9, 86.4, 0.1);
  EXPECT_NEAR(peak_single_flops(c) * 1e-9, 345.6, 0.1);
  EXPECT_EQ(peak_double_flops(c), 0);
}

TEST(peaks, of_the_gtx_480_are_the_advertised_ones) {
  const gpu_config c = load_preset("gtx480");
  EXPECT_NEAR(peak_dram_bytes_per_second(c) * 1e-9, 177.4, 0.1);
  EXPECT_NEAR(peak_single_flops(c) * 1e-9, 1345.0, 0.1);
  EXPECT_NEAR(peak_double_flops(c) * 1e-9, 168.1, 0.1);
}

// 80 SMs of 64 lanes for single and 32 for double precision at 1.38 GHz; 4096 bits of HBM2 at 877 MHz.
TEST(peaks, of_the_v100_are_the_advertised_ones) {
  const gpu_config c = load_preset("v100");
  EXPECT_NEAR(peak_dram_bytes_per_second(c) * 1e-9, 898.0, 0.1);
  EXPECT_NEAR(peak_single_flops(c) * 1e-9, 14131.2, 0.1);
  EXPECT_NEAR(peak_double_flops(c) * 1e-9, 7065.6, 0.1);
}

TEST(peaks, of_the_v100_follow_its_processing_blocks_and_not_the_units_of_older_chips) {
  gpu_config c = load_preset("v100");
  const double single = peak_single_flops(c);
  c.tpc.sm.sp.lanes *= 2;
  EXPECT_EQ(peak_single_flops(c), single);
  c.tpc.sm.processing_block.fp32_lanes /= 2;
  EXPECT_EQ(peak_single_flops(c), single / 2);
  c.tpc.sm.processing_block.blocks /= 2;
  EXPECT_EQ(peak_single_flops(c), single / 4);
}

TEST(peaks, of_memory_follow_from_width_and_clock_on_every_board) {
  for (const char* name : {"gt200", "gtx260", "g80", "tesla_c1060", "quadro_fx5800"}) {
    const gpu_config c = load_preset(name);
    EXPECT_NEAR(peak_dram_bytes_per_second(c) * 1e-9, peak_bandwidth(c), 0.01) << name;
  }
}

// Keys in which two configurations differ.
std::vector<std::string> differences(gpu_config a, gpu_config b) {
  const schema first(a);
  const schema second(b);
  std::vector<std::string> result;
  for (std::size_t i = 0; i < first.keys.size(); ++i) {
    if (value_text(first.keys[i].value) != value_text(second.keys[i].value)) result.push_back(first.keys[i].path);
  }
  return result;
}

TEST(presets, all_files_load) {
  std::size_t count = 0;
  for (const auto& file : std::filesystem::directory_iterator(std::string(GT200_SOURCE_DIR) + "/configs")) {
    EXPECT_EQ(error_of(file.path().string()), "no error");
    ++count;
  }
  EXPECT_GE(count, 7u);
}

TEST(presets, all_boards_have_the_pages_of_the_emulator) {
  for (const auto& file : std::filesystem::directory_iterator(std::string(GT200_SOURCE_DIR) + "/configs")) {
    const gpu_config c = load(file.path().string()).values;
    EXPECT_EQ(c.memory_map.page_bytes, launch::page_bytes_of(c.chip.capability())) << file.path();
  }
}

TEST(presets, gt200_is_complete_without_a_base) {
  EXPECT_THAT(read_text(preset("gt200")), ::testing::Not(::testing::ContainsRegex("\nbase *=")));
}

TEST(presets, gt200_has_the_published_peak_figures) {
  const gpu_config c = load_preset("gt200");
  EXPECT_EQ(c.chip.sms(), 30u);
  EXPECT_EQ(c.chip.capability(), 13);
  EXPECT_NEAR(c.chip.sms() * c.tpc.sm.sp.lanes * 2 * c.clocks.shader_mhz / 1000, 622.1, 0.1);  // MAD GFLOP/s
  EXPECT_NEAR(c.chip.sms() * c.tpc.sm.dp.lanes * 2 * c.clocks.shader_mhz / 1000, 77.8, 0.1);
  EXPECT_NEAR(peak_bandwidth(c), 141.7, 0.05);
  EXPECT_EQ(c.memory_bytes(), std::uint64_t{1} << 30);
  EXPECT_EQ(c.tpc.sm.sp.interval_cycles().count(), 4u);
  EXPECT_EQ(c.tpc.sm.sfu.interval_cycles().count(), 16u);
  EXPECT_EQ(c.tpc.sm.dp.interval_cycles().count(), 32u);
}

TEST(presets, clock_periods_are_whole_femtoseconds) {
  const clocks_config clocks = load_preset("gt200").clocks;
  EXPECT_EQ(clocks.shader_period(), 771605u);
  EXPECT_EQ(clocks.core_period(), 2 * 771605u);
  EXPECT_EQ(clocks.uncore_period(), 1661130u);
  EXPECT_EQ(clocks.memory_period(), 903342u);
}

TEST(presets, the_uncore_can_be_tied_to_the_core) {
  clocks_config clocks = load_preset("gt200").clocks;
  clocks.uncore_tied_to_core = true;
  EXPECT_EQ(clocks.uncore_period(), clocks.core_period());
}

TEST(presets, relatives_have_their_published_bandwidth_and_size) {
  EXPECT_NEAR(peak_bandwidth(load_preset("g80")), 86.4, 0.05);
  EXPECT_EQ(load_preset("g80").chip.sms(), 16u);
  EXPECT_EQ(load_preset("g80").memory_bytes(), std::uint64_t{768} << 20);
  EXPECT_NEAR(peak_bandwidth(load_preset("gtx260")), 111.9, 0.05);
  EXPECT_EQ(load_preset("gtx260").chip.sms(), 24u);
  EXPECT_NEAR(peak_bandwidth(load_preset("tesla_c1060")), 102.4, 0.05);
  EXPECT_EQ(load_preset("tesla_c1060").memory_bytes(), std::uint64_t{4} << 30);
  EXPECT_EQ(differences(load_preset("tesla_c1060"), load_preset("quadro_fx5800")),
            std::vector<std::string>{"clocks.uncore_mhz"});
}

TEST(presets, small_differs_in_size_only) {
  EXPECT_THAT(
      differences(load_preset("gt200"), load_preset("gt200_small")),
      ::testing::ElementsAre("chip.tpcs", "chip.sms_per_tpc", "chip.partitions", "tpc.texture.l1.instances"));
}

TEST(presets, as_described_differs_where_descriptions_do) {
  EXPECT_THAT(
      differences(load_preset("gt200"), load_preset("gt200_as_described")),
      ::testing::UnorderedElementsAre(
          "tpc.sm.limits.least_registers_per_thread", "tpc.sm.scoreboard.entries_per_warp",
          "tpc.sm.scoreboard.allocate", "tpc.sm.scoreboard.when_full", "tpc.sm.scoreboard.tracks_shared",
          "tpc.sm.scheduler.policy", "tpc.sm.simt_stack.first_path", "tpc.sm.branch.comparisons",
          "tpc.sm.register_file.banks_per_sp", "tpc.sm.units.latency_measured", "tpc.sm.sp.latency_cycles",
          "tpc.sm.sp.shared_operand_interval_cycles", "tpc.sm.sp.shared_move_interval_cycles",
          "tpc.sm.sfu.latency_cycles", "tpc.sm.sfu.reduced_saves_cycles", "tpc.sm.sfu.multiply_interval_cycles",
          "tpc.sm.sfu.multiply_latency_cycles", "tpc.sm.dp.latency_cycles", "tpc.sm.shared_memory.latency_cycles",
          "tpc.sm.shared_memory.replay_latency_cycles", "tpc.memory.sm_controller.exclusive_pipelines",
          "tpc.texture.l1.bytes", "tpc.texture.l1.ways", "partition.texture_writes_invalidate"));
}

}  // namespace
}  // namespace gt200::config::test
