// Hints: another key caps the changed one, or the changed one has no effect. None on what has not changed.
#include "sc_models/config/hints.h"

#include <gmock/gmock.h>

#include "testbenches/unit/config/config_files.h"

namespace gt200::config::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

std::vector<std::string> hints_on(const std::vector<std::string>& overrides, const std::string& name = "gt200") {
  return hints(load(preset(name)).values, load(preset(name), overrides).values);
}

TEST(hints, are_not_given_on_a_configuration_as_it_is) {
  for (const char* name : {"gt200", "g80", "gtx480", "v100", "gt200_as_described"})
    EXPECT_THAT(hints_on({}, name), IsEmpty()) << name;
  EXPECT_THAT(hints_on({"tpc.sm.sp.lanes=8"}), IsEmpty()) << "the value that it has";
}

TEST(hints, more_lanes_leave_instructions_with_a_shared_operand_as_slow_as_they_are) {
  const auto more = hints_on({"tpc.sm.sp.lanes=16"});
  EXPECT_THAT(more, Contains("tpc.sm.sp.lanes = 16: with an s[] operand instructions still begin every 6 shader "
                             "cycles: lower tpc.sm.sp.shared_operand_interval_cycles"));
  EXPECT_THAT(more, Contains(HasSubstr("raise tpc.sm.register_file.read_ports")));
  EXPECT_THAT(more, Not(Contains(HasSubstr("tpc.sm.scheduler.schedulers"))));
  EXPECT_THAT(hints_on({"tpc.sm.sp.lanes=16", "tpc.sm.sp.shared_operand_interval_cycles=2",
                        "tpc.sm.register_file.read_ports=96"}),
              IsEmpty());
}

TEST(hints, twice_as_many_lanes_again_exceed_what_is_issued_and_written) {
  const auto most = hints_on(
      {"tpc.sm.sp.lanes=32", "tpc.sm.register_file.read_ports=192", "tpc.sm.sp.shared_operand_interval_cycles=1"});
  EXPECT_THAT(most,
              ElementsAre(HasSubstr("raise tpc.sm.register_file.write_ports"),
                          HasSubstr("the scheduler issues instructions for the SPs every 2.0 shader cycles")));
}

TEST(hints, fewer_lanes_are_capped_by_nothing) {
  EXPECT_THAT(hints_on({"tpc.sm.sp.lanes=4", "tpc.sm.sp.shared_operand_interval_cycles=8"}), IsEmpty());
}

TEST(hints, each_cap_names_the_key_that_lifts_it) {
  struct capped {
    std::vector<std::string> change;
    const char* by;
    const char* lifted;
  };
  const std::vector<capped> all = {
      {{"tpc.sm.scheduler.schedulers=2"},
       "tpc.sm.fetch.instructions_per_fetch",
       "tpc.sm.fetch.instructions_per_fetch=2"},
      {{"tpc.sm.limits.warps=48"}, "tpc.sm.limits.threads", "tpc.sm.limits.threads=1536"},
      {{"tpc.memory.load_store_queue.load_entries=128"},
       "tpc.memory.load_store_queue.load_bytes",
       "tpc.memory.load_store_queue.load_bytes=4096"},
      {{"tpc.memory.load_store_queue.load_bytes=16384"},
       "tpc.memory.load_store_queue.load_entries",
       "tpc.memory.load_store_queue.load_entries=128"},
      {{"clocks.memory_mhz=1500"}, "interconnect.crossbar.flit_bytes", "interconnect.crossbar.flit_bytes=64"},
      {{"tpc.sm.sfu.lanes=16"}, "tpc.sm.sfu.multiply_interval_cycles", "tpc.sm.sfu.multiply_interval_cycles=2"},
  };
  for (const capped& c : all) {
    const auto hint = hints_on(c.change);
    ASSERT_THAT(hint, ElementsAre(HasSubstr(c.by))) << c.change[0];
    EXPECT_THAT(hint[0], StartsWith(c.change[0].substr(0, c.change[0].find('=')) + " = "));
    std::vector<std::string> lifted = c.change;
    lifted.emplace_back(c.lifted);
    EXPECT_THAT(hints_on(lifted), Not(Contains(StartsWith(hint[0].substr(0, hint[0].find(" = "))))));
  }
}

TEST(hints, keys_of_a_part_that_is_not_there_have_no_effect) {
  EXPECT_THAT(hints_on({"tpc.sm.scheduler.second_policy=gto"}),
              ElementsAre("tpc.sm.scheduler.second_policy has no effect: tpc.sm.scheduler.schedulers = 1"));
  EXPECT_THAT(hints_on({"topology.hop_cycles=3", "topology.mesh_columns=7"}),
              ElementsAre(StartsWith("topology.hop_cycles has no effect: "),
                          StartsWith("topology.mesh_columns has no effect: ")));
  EXPECT_THAT(hints_on({"topology.hop_cycles=3", "topology.mesh_columns=7", "topology.network=ring"}),
              ElementsAre(StartsWith("topology.mesh_columns has no effect: ")));
  EXPECT_THAT(hints_on({"topology.hop_cycles=3", "topology.mesh_columns=7", "topology.network=mesh"}), IsEmpty());
  EXPECT_THAT(hints_on({"tpc.memory.l1.mshrs=32"}), ElementsAre(HasSubstr("tpc.memory.l1.enabled = false")));
  EXPECT_THAT(hints_on({"tpc.sm.scoreboard.mechanism=bitmap", "tpc.sm.scoreboard.entries_per_warp=3"}),
              ElementsAre(StartsWith("tpc.sm.scoreboard.entries_per_warp has no effect: ")));
  EXPECT_THAT(hints_on({"tpc.sm.warp_former.heuristic=pc"}),
              ElementsAre("tpc.sm.warp_former.heuristic has no effect: tpc.sm.warp_formation = static"));
  EXPECT_THAT(hints_on({"tpc.sm.warp_former.heuristic=pc", "tpc.sm.warp_formation=compaction"}),
              ElementsAre(HasSubstr("tpc.sm.warp_formation = compaction")));
  EXPECT_THAT(hints_on({"tpc.sm.warp_former.heuristic=pc", "tpc.sm.warp_formation=dynamic"}), IsEmpty());
  EXPECT_THAT(hints_on({"tpc.sm.scoreboard.mechanism=bitmap", "tpc.sm.simt_stack.maximum_entries=64"}, "v100"),
              ElementsAre(StartsWith("tpc.sm.scoreboard.mechanism has no effect: "),
                          StartsWith("tpc.sm.simt_stack.maximum_entries has no effect: ")));
  EXPECT_THAT(hints_on({"partition.dram.model=fixed_latency", "partition.dram.scheduler=fifo"}),
              ElementsAre(StartsWith("partition.dram.scheduler has no effect: ")));
}

}  // namespace
}  // namespace gt200::config::test
