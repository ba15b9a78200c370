// Hints: another key caps the changed one, or the changed one has no effect. None on what has not changed.
#include "sc_models/config/hints.h"

#include <gmock/gmock.h>

#include "sc_models/config/added_policy.h"
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

TEST(hints, keys_of_a_dram_that_a_fixed_latency_does_not_read_have_no_effect) {
  for (const char* change : {"partition.dram.timing.cl=20", "partition.dram.banks=4",
                             "partition.dram.row_bytes=2048", "partition.dram.bank_hash=xor_row"}) {
    const std::string key = std::string(change).substr(0, std::string(change).find('='));
    EXPECT_THAT(hints_on({"partition.dram.model=fixed_latency", change}),
                Contains(key + " has no effect: partition.dram.model = fixed_latency"));
    EXPECT_THAT(hints_on({change}), Not(Contains(HasSubstr("no effect")))) << change;
  }
  EXPECT_THAT(hints_on({"partition.dram.model=fixed_latency", "partition.dram.timing.t_ccd=4"}),
              Not(Contains(HasSubstr("no effect"))));
}

TEST(hints, the_arbitration_of_the_crossbar_has_no_effect_in_another_network) {
  for (const char* network : {"ring", "mesh"})
    EXPECT_THAT(hints_on({std::string("topology.network=") + network, "interconnect.crossbar.arbitration=islip"}),
                Contains("interconnect.crossbar.arbitration has no effect: topology.network is not crossbar"));
  EXPECT_THAT(hints_on({"interconnect.crossbar.arbitration=islip"}), IsEmpty());
}

TEST(hints, where_rtl_runs_has_no_effect_without_rtl) {
  EXPECT_THAT(hints_on({"tpc.sm.rtl.sms=1"}),
              ElementsAre("tpc.sm.rtl.sms has no effect: no model is rtl or lockstep"));
  EXPECT_THAT(hints_on({"tpc.sm.rtl.sms=1", "tpc.sm.scoreboard.model=rtl"}),
              Not(Contains(HasSubstr("tpc.sm.rtl.sms"))));
  EXPECT_THAT(hints_on({"tpc.sm.rtl.run_on_cycles=10", "tpc.sm.scoreboard.model=rtl"}),
              Contains("tpc.sm.rtl.run_on_cycles has no effect: no model is lockstep"));
}

TEST(hints, keys_of_an_added_policy_have_no_effect_until_something_chooses_it) {
  const std::string none = " has no effect: nothing chooses ";
  ASSERT_TRUE(add_policy(warp_policies, {"rev", "", {number_key("turn", 1, unit::none, between(1, 9), "")}}));
  ASSERT_TRUE(add_policy(dram_models, {"bank", "", {number_key("hit_ns", 1, unit::none, between(1, 9), "")}}));
  EXPECT_THAT(
      hints_on({"tpc.sm.scheduler.rev.turn=2", "partition.dram.bank.hit_ns=2"}),
      ElementsAre("tpc.sm.scheduler.rev.turn" + none + "rev", "partition.dram.bank.hit_ns" + none + "bank"));
  EXPECT_THAT(hints_on({"tpc.sm.scheduler.rev.turn=2", "tpc.sm.scheduler.policy=rev"}), IsEmpty());
  EXPECT_THAT(hints_on({"partition.dram.bank.hit_ns=2", "partition.dram.model=bank"}), IsEmpty());
  choose_at("gt200.partition_1.dram=bank");
  EXPECT_THAT(hints_on({"partition.dram.bank.hit_ns=2"}), IsEmpty());
}

TEST(hints, name_keys_of_tesla_that_a_chip_of_fermi_does_not_have) {
  EXPECT_THAT(hints_on({"tpc.sm.simt_stack.semantics=ssy_sync"}, "gtx480"),
              Contains(StartsWith("tpc.sm.simt_stack.semantics has no effect")));
  EXPECT_THAT(hints_on({"tpc.sm.sfu.multiply_enabled=true"}, "gtx480"),
              Contains(StartsWith("tpc.sm.sfu.multiply_enabled has no effect")));
  EXPECT_THAT(hints_on({"tpc.sm.sp.shared_operand_interval_cycles=4"}, "gtx480"),
              Contains(StartsWith("tpc.sm.sp.shared_operand_interval_cycles has no effect")));
}

}  // namespace
}  // namespace gt200::config::test
