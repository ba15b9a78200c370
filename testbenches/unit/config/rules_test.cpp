// Rules between keys: legal at the boundary, refused one step beyond it.
#include <gmock/gmock.h>

#include "testbenches/unit/config/config_files.h"

namespace gt200::config::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

struct rule_case {
  const char* name;
  std::vector<std::string> legal;    // on top of the GT200 preset
  std::vector<std::string> illegal;  // one step further
  std::vector<std::string> named;    // keys the error must name
};

std::ostream& operator<<(std::ostream& out, const rule_case& rule) { return out << rule.name; }

class rules : public ::testing::TestWithParam<rule_case> {};

TEST_P(rules, hold) {
  EXPECT_EQ(error_of(preset("gt200"), GetParam().legal), "no error");
  const std::string error = error_of(preset("gt200"), GetParam().illegal);
  EXPECT_THAT(error, HasSubstr(": contradiction: "));
  for (const std::string& key : GetParam().named) EXPECT_THAT(error, HasSubstr(key + " = "));
}

INSTANTIATE_TEST_SUITE_P(
    config, rules,
    ::testing::Values(
        rule_case{"threads_need_warps",
                  {"tpc.sm.limits.threads=1024", "tpc.sm.limits.warps=32"},
                  {"tpc.sm.limits.threads=1056", "tpc.sm.limits.warps=32"},
                  {"tpc.sm.limits.threads", "tpc.sm.limits.warps"}},
        rule_case{"rtl_of_tesla_only",
                  {"tpc.sm.scoreboard.model=rtl", "chip.compute_capability=1.3"},
                  {"tpc.sm.scoreboard.model=rtl", "chip.compute_capability=2.0"},
                  {"tpc.sm.scoreboard.model", "chip.compute_capability"}},
        rule_case{"lanes_of_tesla_only",
                  {"tpc.sm.units.detail=lane", "chip.compute_capability=1.3"},
                  {"tpc.sm.units.detail=lane", "chip.compute_capability=2.0"},
                  {"tpc.sm.units.detail", "chip.compute_capability"}},
        rule_case{"block_fits_into_sm",
                  {"tpc.sm.limits.threads_per_block=1024"},
                  {"tpc.sm.limits.threads_per_block=1025"},
                  {"tpc.sm.limits.threads_per_block", "tpc.sm.limits.threads"}},
        rule_case{"registers_in_granules",
                  {"tpc.sm.limits.registers=8448", "tpc.sm.limits.register_granule=256"},
                  {"tpc.sm.limits.registers=8448", "tpc.sm.limits.register_granule=512"},
                  {"tpc.sm.limits.registers", "tpc.sm.limits.register_granule"}},
        rule_case{"shared_memory_in_granules",
                  {"tpc.sm.limits.shared_bytes=1536", "tpc.sm.limits.shared_granule_bytes=512"},
                  {"tpc.sm.limits.shared_bytes=1536", "tpc.sm.limits.shared_granule_bytes=1024"},
                  {"tpc.sm.limits.shared_bytes", "tpc.sm.limits.shared_granule_bytes"}},
        rule_case{"barrier_per_block",
                  {"tpc.sm.limits.blocks=16"},
                  {"tpc.sm.limits.blocks=17"},
                  {"tpc.sm.limits.blocks", "tpc.sm.limits.barriers"}},
        rule_case{"result_covers_the_way_through_the_collector",
                  {"tpc.sm.issue.latency_cycles=3", "tpc.sm.sp.latency_cycles=10", "tpc.sm.sp.lanes=32"},
                  {"tpc.sm.issue.latency_cycles=3", "tpc.sm.sp.latency_cycles=8"},
                  {"tpc.sm.issue.latency_cycles", "tpc.sm.sp.latency_cycles"}},
        rule_case{"shared_memory_covers_the_way",
                  {"tpc.sm.issue.latency_cycles=3", "tpc.sm.shared_memory.latency_cycles=12"},
                  {"tpc.sm.issue.latency_cycles=3", "tpc.sm.shared_memory.latency_cycles=10"},
                  {"tpc.sm.issue.latency_cycles", "tpc.sm.shared_memory.latency_cycles"}},
        rule_case{"barrier_covers_the_way",
                  {"tpc.sm.barrier.base_cycles=6", "tpc.sm.barrier.per_warp_cycles=2"},
                  {"tpc.sm.barrier.base_cycles=4", "tpc.sm.barrier.per_warp_cycles=2"},
                  {"tpc.sm.barrier.base_cycles", "tpc.sm.barrier.per_warp_cycles", "tpc.sm.issue.latency_cycles"}},
        rule_case{"tokens_on_the_chip_are_among_all",
                  {"tpc.sm.simt_stack.maximum_entries=16"},
                  {"tpc.sm.simt_stack.maximum_entries=8"},
                  {"tpc.sm.simt_stack.entries", "tpc.sm.simt_stack.maximum_entries"}},
        rule_case{"granule_fits_into_line",
                  {"tpc.sm.fetch.granule_bytes=128", "tpc.sm.icache.line_bytes=128"},
                  {"tpc.sm.fetch.granule_bytes=128", "tpc.sm.icache.line_bytes=64"},
                  {"tpc.sm.fetch.granule_bytes", "tpc.sm.icache.line_bytes"}},
        rule_case{"rtl_is_coon",
                  {"tpc.sm.scoreboard.model=rtl"},
                  {"tpc.sm.scoreboard.model=rtl", "tpc.sm.scoreboard.mechanism=bitmap"},
                  {"tpc.sm.scoreboard.model", "tpc.sm.scoreboard.mechanism"}},
        rule_case{"rtl_allocates_with_lookup",
                  {"tpc.sm.scoreboard.allocate=at_issue"},
                  {"tpc.sm.scoreboard.allocate=at_issue", "tpc.sm.scoreboard.model=lockstep"},
                  {"tpc.sm.scoreboard.model", "tpc.sm.scoreboard.allocate"}},
        rule_case{"nothing_is_discarded_at_issue",
                  {"tpc.sm.scoreboard.allocate=at_issue", "tpc.sm.scoreboard.when_full=stall_all"},
                  {"tpc.sm.scoreboard.allocate=at_issue", "tpc.sm.scoreboard.when_full=discard"},
                  {"tpc.sm.scoreboard.allocate", "tpc.sm.scoreboard.when_full"}},
        rule_case{"only_coon_tracks_shared_memory",
                  {"tpc.sm.scoreboard.tracks_shared=true"},
                  {"tpc.sm.scoreboard.tracks_shared=true", "tpc.sm.scoreboard.mechanism=bitmap"},
                  {"tpc.sm.scoreboard.tracks_shared", "tpc.sm.scoreboard.mechanism"}},
        rule_case{"no_rtl_tracks_shared_memory",
                  {"tpc.sm.scoreboard.model=rtl"},
                  {"tpc.sm.scoreboard.model=rtl", "tpc.sm.scoreboard.tracks_shared=true"},
                  {"tpc.sm.scoreboard.tracks_shared", "tpc.sm.scoreboard.model"}},
        rule_case{"a_thread_takes_no_more_registers_than_it_may_have",
                  {"tpc.sm.limits.least_registers_per_thread=64", "tpc.sm.limits.registers_per_thread=64"},
                  {"tpc.sm.limits.least_registers_per_thread=65", "tpc.sm.limits.registers_per_thread=64"},
                  {"tpc.sm.limits.least_registers_per_thread", "tpc.sm.limits.registers_per_thread"}},
        rule_case{"a_latency_in_the_unit_covers_the_last_beat",
                  {"tpc.sm.units.latency_measured=unit", "tpc.sm.sp.latency_cycles=4",
                   "tpc.sm.sp.shared_operand_interval_cycles=4"},
                  {"tpc.sm.units.latency_measured=unit", "tpc.sm.sp.latency_cycles=4",
                   "tpc.sm.sp.shared_operand_interval_cycles=6"},
                  {"tpc.sm.sp.latency_cycles", "tpc.sm.units.latency_measured"}},
        rule_case{"a_result_of_a_comparison_follows_its_last_lanes",
                  {"tpc.sm.branch.interval_cycles=40"},
                  {"tpc.sm.branch.interval_cycles=40", "tpc.sm.branch.comparisons=true"},
                  {"tpc.sm.branch.interval_cycles", "tpc.sm.branch.comparisons"}},
        rule_case{"active_warps_are_resident",
                  {"tpc.sm.scheduler.two_level_active_warps=32"},
                  {"tpc.sm.scheduler.two_level_active_warps=33"},
                  {"tpc.sm.scheduler.two_level_active_warps", "tpc.sm.limits.warps"}},
        rule_case{
            "sp_latency_covers_interval",
            {"tpc.sm.sp.latency_cycles=14", "tpc.sm.sp.lanes=4", "tpc.sm.sp.shared_operand_interval_cycles=9"},
            {"tpc.sm.sp.latency_cycles=6", "tpc.sm.sp.lanes=4", "tpc.sm.sp.shared_operand_interval_cycles=9"},
            {"tpc.sm.sp.latency_cycles", "tpc.sm.sp.lanes"}},
        rule_case{"sfu_latency_covers_interval",
                  {"tpc.sm.sfu.latency_cycles=22"},
                  {"tpc.sm.sfu.latency_cycles=14"},
                  {"tpc.sm.sfu.latency_cycles", "tpc.sm.sfu.cycles_per_group"}},
        rule_case{"dp_latency_covers_interval",
                  {"tpc.sm.dp.latency_cycles=38"},
                  {"tpc.sm.dp.latency_cycles=30"},
                  {"tpc.sm.dp.latency_cycles"}},
        rule_case{"shared_operand_is_not_faster",
                  {"tpc.sm.sp.shared_operand_interval_cycles=4"},
                  {"tpc.sm.sp.shared_operand_interval_cycles=3"},
                  {"tpc.sm.sp.shared_operand_interval_cycles", "tpc.sm.sp.lanes"}},
        rule_case{"time_behind_the_last_lanes",
                  {"tpc.sm.dp.latency_cycles=38"},
                  {"tpc.sm.dp.latency_cycles=36"},
                  {"tpc.sm.dp.latency_cycles", "tpc.sm.dp.lanes"}},
        rule_case{"time_behind_the_last_lanes_with_an_s_operand",
                  {"tpc.sm.sp.shared_operand_interval_cycles=24"},
                  {"tpc.sm.sp.shared_operand_interval_cycles=25"},
                  {"tpc.sm.sp.shared_operand_interval_cycles", "tpc.sm.sp.latency_cycles"}},
        rule_case{
            "icache_sets", {"tpc.sm.icache.bytes=5120"}, {"tpc.sm.icache.bytes=5152"}, {"tpc.sm.icache.ways"}},
        rule_case{"constant_cache_sets",
                  {"tpc.sm.constant_cache.ways=8"},
                  {"tpc.sm.constant_cache.ways=7"},
                  {"tpc.sm.constant_cache.bytes"}},
        rule_case{
            "texture_l1_sets", {"tpc.texture.l1.ways=160"}, {"tpc.texture.l1.ways=161"}, {"tpc.texture.l1.ways"}},
        rule_case{"l2_sets", {"tpc.l2.ways=128"}, {"tpc.l2.ways=129"}, {"tpc.l2.ways"}},
        rule_case{"l3_sets", {"l3.ways=128"}, {"l3.ways=129"}, {"l3.ways"}},
        rule_case{"texture_l2_sets",
                  {"partition.texture_l2.ways=128"},
                  {"partition.texture_l2.ways=129"},
                  {"partition.texture_l2.ways"}},
        rule_case{
            "tlb_sets", {"tpc.memory.tlb.l2_ways=4"}, {"tpc.memory.tlb.l2_ways=3"}, {"tpc.memory.tlb.l2_entries"}},
        rule_case{"tlb_pages",
                  {"tpc.memory.tlb.l1_page_bytes=4096"},
                  {"tpc.memory.tlb.l1_page_bytes=4096", "tpc.memory.tlb.l2_page_bytes=8192"},
                  {"tpc.memory.tlb.l1_page_bytes", "tpc.memory.tlb.l2_page_bytes"}},
        rule_case{"texture_caches_have_sms",
                  {"tpc.texture.l1.instances=3"},
                  {"tpc.texture.l1.instances=4"},
                  {"tpc.texture.l1.instances", "chip.sms_per_tpc"}},
        rule_case{"lines_of_texture_caches_are_numbered",
                  {"tpc.texture.l1.bytes=2097088", "tpc.texture.l1.ways=1"},
                  {"tpc.texture.l1.bytes=2097120", "tpc.texture.l1.ways=1"},
                  {"tpc.texture.l1.bytes", "tpc.texture.l1.line_bytes"}},
        rule_case{"l3_line_in_partition",
                  {"partition.interleave_bytes=256"},
                  {"partition.interleave_bytes=128", "partition.texture_l2.line_bytes=128"},
                  {"l3.line_bytes", "partition.interleave_bytes"}},
        rule_case{"texture_line_in_partition",
                  {"partition.interleave_bytes=128", "partition.texture_l2.line_bytes=128", "l3.line_bytes=128"},
                  {"partition.interleave_bytes=128", "l3.line_bytes=128"},
                  {"partition.texture_l2.line_bytes", "partition.interleave_bytes"}},
        rule_case{"every_bank_has_a_row",
                  {"partition.dram.banks=64", "partition.dram.row_bytes=65536", "partition.dram.capacity_mib=8"},
                  {"partition.dram.banks=64", "partition.dram.row_bytes=65536", "partition.dram.capacity_mib=2"},
                  {"partition.dram.capacity_mib", "partition.dram.row_bytes", "partition.dram.banks"}},
        rule_case{"row_cycle",
                  {"partition.dram.timing.t_rc=49"},
                  {"partition.dram.timing.t_rc=48"},
                  {"partition.dram.timing.t_rc", "partition.dram.timing.t_ras", "partition.dram.timing.t_rp"}},
        rule_case{"row_open_until_read",
                  {"partition.dram.timing.t_rcd_read=35"},
                  {"partition.dram.timing.t_rcd_read=36"},
                  {"partition.dram.timing.t_ras", "partition.dram.timing.t_rcd_read"}},
        rule_case{"four_activates",
                  {"partition.dram.timing.t_faw=12"},
                  {"partition.dram.timing.t_faw=11"},
                  {"partition.dram.timing.t_faw", "partition.dram.timing.t_rrd"}},
        rule_case{"refresh_leaves_time",
                  {"partition.dram.timing.t_refi=119"},
                  {"partition.dram.timing.t_refi=118"},
                  {"partition.dram.timing.t_refi", "partition.dram.timing.t_rfc", "partition.dram.timing.t_wr"}},
        rule_case{"refresh_leaves_time_for_a_row_cycle",
                  {"partition.dram.timing.t_rc=1000", "partition.dram.timing.t_refi=1058"},
                  {"partition.dram.timing.t_rc=1000", "partition.dram.timing.t_refi=1057"},
                  {"partition.dram.timing.t_refi", "partition.dram.timing.t_rc"}},
        rule_case{"no_refresh_needs_no_time",
                  {"partition.dram.timing.t_refi=100", "partition.dram.refresh=false"},
                  {"partition.dram.timing.t_refi=100", "partition.dram.refresh=true"},
                  {"partition.dram.timing.t_refi", "partition.dram.refresh"}},
        rule_case{"areas_begin_with_a_page",
                  {"memory_map.page_bytes=65536", "memory_map.code_base=0xff0000"},
                  {"memory_map.page_bytes=65536", "memory_map.code_base=0xff1000"},
                  {"memory_map.code_base", "memory_map.page_bytes"}},
        rule_case{"code_fits",
                  {"memory_map.constant_base=0x2000000"},
                  {"memory_map.constant_base=0x1ff0000"},
                  {"memory_map.code_base", "memory_map.constant_base"}},
        rule_case{"constants_fit",
                  {"memory_map.global_base=0x2100000"},
                  {"memory_map.global_base=0x20f0000"},
                  {"memory_map.constant_base", "memory_map.global_base"}},
        rule_case{"global_memory_exists",
                  {"memory_map.global_base=0x3fff0000"},
                  {"memory_map.global_base=0x40000000"},
                  {"memory_map.global_base", "partition.dram.capacity_mib"}},
        rule_case{"memory_is_addressable",
                  {"memory_map.virtual_address_bits=30"},
                  {"memory_map.virtual_address_bits=29"},
                  {"memory_map.virtual_address_bits", "chip.partitions"}}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(lines, of_the_texture_l1_come_in_one_transaction) {
  EXPECT_EQ(error_of(preset("gt200"), {"tpc.texture.l1.line_bytes=128"}), "no error");
  EXPECT_THAT(error_of(preset("gt200"), {"tpc.texture.l1.line_bytes=256"}), HasSubstr("32..128"));
}

TEST(contradictions, are_charged_to_the_latest_setting) {
  const std::string error = error_of(preset("gt200"), {"tpc.sm.limits.warps=16"});
  EXPECT_THAT(error, AllOf(::testing::StartsWith("--set tpc.sm.limits.warps=16: contradiction: "),
                           HasSubstr("tpc.sm.limits.threads = 1024 ("), HasSubstr("gt200.toml:")));
}

}  // namespace
}  // namespace gt200::config::test
