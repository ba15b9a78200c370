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
  EXPECT_THAT(more, Contains("tpc.sm.sp.lanes = 16: moves from s[] still begin every 6 shader cycles: lower "
                             "tpc.sm.sp.shared_move_interval_cycles"));
  EXPECT_THAT(more, Contains(HasSubstr("raise tpc.sm.register_file.read_ports")));
  EXPECT_THAT(more, Not(Contains(HasSubstr("tpc.sm.scheduler.schedulers"))));
  EXPECT_THAT(hints_on({"tpc.sm.sp.lanes=16", "tpc.sm.sp.shared_operand_interval_cycles=2",
                        "tpc.sm.sp.shared_move_interval_cycles=2", "tpc.sm.register_file.read_ports=96"}),
              IsEmpty());
}

TEST(hints, twice_as_many_lanes_again_exceed_what_is_issued_and_written) {
  const auto most =
      hints_on({"tpc.sm.sp.lanes=32", "tpc.sm.register_file.read_ports=192",
                "tpc.sm.sp.shared_operand_interval_cycles=1", "tpc.sm.sp.shared_move_interval_cycles=1"});
  EXPECT_THAT(most,
              ElementsAre(HasSubstr("raise tpc.sm.register_file.write_ports"),
                          HasSubstr("the scheduler issues instructions for the SPs every 2.0 shader cycles")));
}

TEST(hints, fewer_lanes_are_capped_by_nothing) {
  EXPECT_THAT(hints_on({"tpc.sm.sp.lanes=4", "tpc.sm.sp.shared_operand_interval_cycles=8",
                        "tpc.sm.sp.shared_move_interval_cycles=8"}),
              IsEmpty());
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

TEST(hints, a_key_whose_name_continues_another_one_is_not_meant) {
  const auto banks = hints_on({"tpc.sm.register_file.banks=32", "tpc.sm.register_file.banks_per_sp=1"});
  EXPECT_THAT(banks,
              ElementsAre("tpc.sm.register_file.banks has no effect: tpc.sm.register_file.banks_per_sp is given"));
  EXPECT_THAT(hints_on({"tpc.sm.register_file.banks_per_sp=1"}), IsEmpty());
  EXPECT_THAT(hints_on({"tpc.sm.sp.rtl_units=1"}),
              ElementsAre("tpc.sm.sp.rtl_units has no effect: tpc.sm.sp.model = systemc"));
}

TEST(hints, stages_that_an_sm_of_volta_does_not_have_are_named) {
  for (const char* change : {"tpc.sm.sp.lanes=32",
                             "tpc.sm.sp.latency_cycles=96",
                             "tpc.sm.sfu.lanes=4",
                             "tpc.sm.sfu.latency_cycles=40",
                             "tpc.sm.dp.latency_cycles=96",
                             "tpc.sm.dp.shares_sp=false",
                             "tpc.sm.units.latency_measured=unit",
                             "tpc.sm.units.first_cycle=10",
                             "tpc.sm.scheduler.schedulers=2",
                             "tpc.sm.scheduler.second_policy=gto",
                             "tpc.sm.scheduler.dispatch_ports=single",
                             "tpc.sm.scheduler.two_level_active_warps=4",
                             "tpc.sm.scheduler.weights.sp=4",
                             "tpc.sm.fetch.merge=sequential",
                             "tpc.sm.issue.latency_cycles=2",
                             "tpc.sm.operand_collector.sp_units=3",
                             "tpc.sm.operand_collector.memory_units=3",
                             "tpc.sm.operand_collector.shared_operand_queue_entries=3",
                             "tpc.sm.register_file.banks=32",
                             "tpc.sm.register_file.read_ports=40",
                             "tpc.sm.register_file.write_ports=16",
                             "tpc.sm.branch.interval_cycles=8",
                             "tpc.sm.barrier.per_warp_cycles=16",
                             "tpc.sm.barrier.counter_read_cycles=8"}) {
    const std::string key = std::string(change).substr(0, std::string(change).find('='));
    EXPECT_THAT(hints_on({change}, "v100_small"), ElementsAre(StartsWith(key + " has no effect: "))) << change;
  }
}

TEST(hints, keys_that_volta_shares_with_the_other_chips_have_an_effect_there) {
  for (const char* change :
       {"tpc.sm.scheduler.policy=lrr", "tpc.sm.barrier.base_cycles=40", "tpc.sm.branch.latency_cycles=8",
        "tpc.sm.operand_collector.unit_queue_entries=2", "tpc.sm.operand_collector.control_queue_entries=2",
        "tpc.sm.shared_memory.banks=16", "tpc.sm.write_back.queue_entries=2", "tpc.sm.fetch.granule_bytes=64"})
    EXPECT_THAT(hints_on({change}, "v100_small"), IsEmpty()) << change;
  EXPECT_THAT(
      hints_on({"tpc.sm.scheduler.policy=two_level", "tpc.sm.scheduler.two_level_active_warps=4"}, "v100_small"),
      IsEmpty());
  EXPECT_THAT(hints_on({"tpc.sm.scheduler.policy=weighted", "tpc.sm.scheduler.weights.sp=4"}, "v100_small"),
              IsEmpty());
}

// A key that has no effect while another one stands as it does, and the change of the latter that gives it one.
TEST(hints, a_key_has_no_effect_while_another_one_switches_it_off) {
  struct pair {
    const char* key;
    const char* value;
    const char* off;  // with this
    const char* on;   // and not with this
    const char* says;
  };
  const std::vector<pair> all = {
      {"tpc.memory.coalescer.join_equal", "true", "tpc.memory.coalescer.rule=1.2", "tpc.memory.coalescer.rule=1.0",
       "tpc.memory.coalescer.rule is not 1.0"},
      {"partition.dram.timing.t_rfc", "40", "partition.dram.refresh=false", "partition.dram.refresh=true",
       "partition.dram.refresh = false"},
      {"partition.dram.timing.t_refi", "9000", "partition.dram.refresh=false", "partition.dram.refresh=true",
       "partition.dram.refresh = false"},
      {"tpc.sm.units.sp", "false", "tpc.sm.units.detail=warp", "tpc.sm.units.detail=lane",
       "tpc.sm.units.detail = warp"},
      {"tpc.sm.units.first_cycle", "9", "tpc.sm.units.detail=warp", "tpc.sm.units.detail=lane",
       "tpc.sm.units.detail = warp"},
      {"simulation.stall_seed", "9", "simulation.stalls_per_1024=0", "simulation.stalls_per_1024=9",
       "simulation.stalls_per_1024 = 0"},
      {"l3.bytes", "65536", "idealisations.perfect_caches=true", "idealisations.perfect_caches=false",
       "idealisations.perfect_caches = true"},
      {"l3.link_latency_cycles", "40", "idealisations.perfect_caches=true", "idealisations.perfect_caches=false",
       "idealisations.perfect_caches = true"},
      {"tpc.l2.hit_latency_cycles", "40", "idealisations.perfect_caches=true", "idealisations.perfect_caches=false",
       "idealisations.perfect_caches = true"},
      {"partition.texture_writes_invalidate", "true", "idealisations.perfect_caches=true",
       "idealisations.perfect_caches=false", "idealisations.perfect_caches = true"},
      {"tpc.sm.icache.bytes", "8192", "idealisations.perfect_caches=true", "idealisations.perfect_caches=false",
       "idealisations.perfect_caches = true"},
      {"tpc.sm.register_file.banks", "32", "idealisations.no_bank_conflicts=true",
       "idealisations.no_bank_conflicts=false", "idealisations.no_bank_conflicts = true"},
      {"tpc.sm.shared_memory.banks", "32", "idealisations.no_bank_conflicts=true",
       "idealisations.no_bank_conflicts=false", "idealisations.no_bank_conflicts = true"},
      {"partition.texture_l2.hit_latency_cycles", "40", "partition.l2.enabled=true", "partition.l2.enabled=false",
       "partition.l2.enabled = true"},
  };
  for (const pair& p : all) {
    const std::string change = std::string(p.key) + "=" + p.value;
    EXPECT_THAT(hints_on({change, p.off}), Contains(std::string(p.key) + " has no effect: " + p.says)) << change;
    EXPECT_THAT(hints_on({change, p.on}), Not(Contains(StartsWith(p.key)))) << change;
  }
}

TEST(hints, the_time_of_a_hit_in_a_perfect_cache_still_counts) {
  EXPECT_THAT(hints_on({"idealisations.perfect_caches=true", "tpc.sm.icache.hit_latency_cycles=9"}), IsEmpty());
}

TEST(hints, keys_of_copies_have_no_effect_on_a_run_that_copies_at_once) {
  const auto hints_with = [](const std::string& change, buffer_copies copies) {
    return hints(load(preset("gt200")).values, load(preset("gt200"), {change}).values, copies);
  };
  for (const char* change : {"host.pcie_mb_per_s=100", "host.pcie_packet_bytes=128",
                             "host.pcie_packet_overhead_bytes=8", "command_processor.host_accesses=2"}) {
    EXPECT_THAT(hints_with(change, buffer_copies::at_once),
                ElementsAre(HasSubstr(" has no effect: buffers are copied at once without --copies")));
    EXPECT_THAT(hints_with(change, buffer_copies::timed), IsEmpty()) << change;
  }
  for (const char* change : {"host.copy_engines=2", "host.copy_overhead_ns=1", "host.pageable_mb_per_s=1"})
    for (const buffer_copies copies : {buffer_copies::at_once, buffer_copies::timed})
      EXPECT_THAT(hints_with(change, copies), ElementsAre(HasSubstr(" has no effect: it is of CUDA programs")));
  EXPECT_THAT(hints_on({"host.launch_overhead_ns=1"}), IsEmpty()) << "of a launch, not of a copy";
}

TEST(hints, name_keys_of_tesla_that_a_chip_of_fermi_does_not_have) {
  EXPECT_THAT(hints_on({"tpc.sm.simt_stack.semantics=ssy_sync"}, "gtx480"),
              Contains(StartsWith("tpc.sm.simt_stack.semantics has no effect")));
  EXPECT_THAT(hints_on({"tpc.sm.sfu.multiply_enabled=true"}, "gtx480"),
              Contains(StartsWith("tpc.sm.sfu.multiply_enabled has no effect")));
  EXPECT_THAT(hints_on({"tpc.sm.sfu.reduced_saves_cycles=2"}, "gtx480"),
              Contains(StartsWith("tpc.sm.sfu.reduced_saves_cycles has no effect")));
  EXPECT_THAT(hints_on({"tpc.sm.issue.drops_unexecuted=true"}, "gtx480"),
              Contains(StartsWith("tpc.sm.issue.drops_unexecuted has no effect")));
  for (const char* later : {"gtx480", "v100"})
    EXPECT_THAT(hints_on({"tpc.sm.shared_memory.replay_cycles=4"}, later),
                Contains(StartsWith("tpc.sm.shared_memory.replay_cycles has no effect")));
  EXPECT_THAT(hints_on({"tpc.sm.sp.shared_operand_interval_cycles=4"}, "gtx480"),
              Contains(StartsWith("tpc.sm.sp.shared_operand_interval_cycles has no effect")));
  EXPECT_THAT(hints_on({"tpc.sm.sp.shared_move_interval_cycles=4"}, "gtx480"),
              Contains(StartsWith("tpc.sm.sp.shared_move_interval_cycles has no effect")));
}

}  // namespace
}  // namespace gt200::config::test
