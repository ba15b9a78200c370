// What a run says to somebody who changes the machine: a key that caps the changed one, a key without effect, a
// chip that is mostly empty.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>

#include "testbenches/system/cli/program.h"

namespace gt200::cli {
namespace {

class hint : public cli_test {
 protected:
  outcome run(const std::string& kernel, const arguments& more, const std::string& chip = "gt200_small") const {
    arguments args = {"run", source_path("kernels/" + kernel), "--config", chip, "--out", path("out")};
    args.insert(args.end(), more.begin(), more.end());
    const outcome o = gt200_run(args);
    EXPECT_EQ(o.code, 0) << o.err;
    return o;
  }
  nlohmann::json launches() const {
    return nlohmann::json::parse(content_of(path("out/stats.json"))).at("launches");
  }
  std::uint64_t cycles() const {
    std::uint64_t sum = 0;
    for (const auto& launch : launches()) sum += launch.at("core_cycles").get<std::uint64_t>();
    return sum;
  }
  static bool has(const outcome& o, const std::string& text) { return o.out.find(text) != std::string::npos; }
};

TEST_F(hint, names_the_key_that_caps_the_changed_one_and_raising_it_helps) {
  const arguments lanes = {"--param", "ITERS=1", "--set", "tpc.sm.sp.lanes=16"};
  const outcome capped = run("madloop", lanes);
  EXPECT_TRUE(has(capped,
                  "\nhint          tpc.sm.sp.lanes = 16: with an s[] operand instructions still begin every 6 "
                  "shader cycles"))
      << capped.out;
  EXPECT_TRUE(has(capped, "raise tpc.sm.register_file.read_ports")) << capped.out;
  const std::uint64_t before = cycles();
  arguments lifted = lanes;
  lifted.insert(lifted.end(), {"--set", "tpc.sm.register_file.read_ports=96"});
  EXPECT_FALSE(has(run("madloop", lifted), "read_ports")) << "it no longer caps";
  EXPECT_LT(cycles(), before);
}

TEST_F(hint, a_key_without_effect_changes_nothing) {
  run("reduce0", {"--param", "N=1024"});
  const nlohmann::json plain = launches();
  for (const char* change : {"tpc.sm.scheduler.second_policy=gto", "tpc.sm.scheduler.weights.age=3",
                             "topology.hop_cycles=3", "topology.mesh_columns=7", "tpc.memory.l1.mshrs=32",
                             "tpc.sm.scoreboard.probes_per_cycle=1", "partition.dram.fixed_latency_cycles=99",
                             "tpc.sm.scheduler.two_level_active_warps=2", "tpc.sm.processing_block.int_lanes=8"}) {
    const std::string key = std::string(change).substr(0, std::string(change).find('='));
    const outcome o = run("reduce0", {"--param", "N=1024", "--set", change});
    EXPECT_TRUE(has(o, "\nhint          " + key + " has no effect: ")) << o.out;
    EXPECT_EQ(launches(), plain) << key;
  }
}

TEST_F(hint, a_key_without_effect_on_volta_changes_nothing) {
  run("reduce0", {"--param", "N=1024"}, "v100_small");
  const nlohmann::json plain = launches();
  for (const char* change :
       {"tpc.sm.sp.latency_cycles=96", "tpc.sm.sp.lanes=32", "tpc.sm.sfu.lanes=4", "tpc.sm.dp.latency_cycles=96",
        "tpc.sm.operand_collector.sp_units=3", "tpc.sm.barrier.per_warp_cycles=16", "tpc.sm.issue.latency_cycles=2",
        "tpc.sm.scheduler.two_level_active_warps=4", "tpc.sm.scheduler.weights.sp=4",
        "tpc.sm.scheduler.schedulers=2", "tpc.sm.register_file.read_ports=40", "tpc.sm.branch.interval_cycles=8",
        "tpc.sm.units.latency_measured=unit", "partition.texture_l2.hit_latency_cycles=90"}) {
    const std::string key = std::string(change).substr(0, std::string(change).find('='));
    const outcome o = run("reduce0", {"--param", "N=1024", "--set", change}, "v100_small");
    EXPECT_TRUE(has(o, "\nhint          " + key + " has no effect: ")) << o.out;
    EXPECT_EQ(launches(), plain) << key;
  }
}

TEST_F(hint, a_key_with_an_effect_is_not_said_to_have_none) {
  const arguments banks = {"--set", "tpc.sm.register_file.banks_per_sp=1"};
  run("matrix_mul", {});
  const std::uint64_t before = cycles();
  EXPECT_FALSE(has(run("matrix_mul", banks), "has no effect"));
  EXPECT_NE(cycles(), before);
}

TEST_F(hint, keys_of_copies_have_an_effect_with_timed_copies_alone) {
  const arguments slow = {"--param", "N=1024", "--set", "host.pcie_mb_per_s=100"};
  EXPECT_TRUE(has(run("reduce0", slow), "\nhint          host.pcie_mb_per_s has no effect: "));
  arguments timed = slow;
  timed.emplace_back("--copies");
  EXPECT_FALSE(has(run("reduce0", timed), "\nhint"));
}

TEST_F(hint, nothing_is_said_where_nothing_is_changed) {
  EXPECT_FALSE(has(run("reduce0", {"--param", "N=16384"}), "\nhint"));
}

TEST_F(hint, says_when_most_of_the_chip_is_empty) {
  const outcome o = gt200_run({"run", source_path("kernels/reduce0"), "--param", "N=1024"});
  EXPECT_TRUE(
      std::regex_search(o.out, std::regex("\nhint +[0-9.]+ % of the issue slots had no warp: the grid has 4 "
                                          "blocks for 30 SMs; ")))
      << o.out;
}

TEST_F(hint, of_a_sweep_stands_once) {
  const outcome o =
      gt200_run({"sweep", source_path("kernels/reduce0"), "--param", "N=256", "--config", "gt200_small", "--set",
                 "tpc.sm.sp.lanes=8,16", "--set", "tpc.sm.scheduler.policy=lrr,gto", "--out", path("sweep")});
  ASSERT_EQ(o.code, 0) << o.err;
  const std::string text = "gt200: hint: tpc.sm.sp.lanes = 16: with an s[] operand";
  const std::size_t at = o.err.find(text);
  ASSERT_NE(at, std::string::npos) << o.err;
  EXPECT_EQ(o.err.find(text, at + 1), std::string::npos) << o.err;
  // The runs differ in their share, so the hint has its range.
  EXPECT_TRUE(
      std::regex_search(o.out, std::regex("\nhint: in 4 of 4 points: [0-9.]+ to [0-9.]+ % of the issue slots "
                                          "had no warp: the grid has [^\n]*\n(?!hint)")))
      << o.out;
}

TEST_F(hint, of_one_grid_are_one_line_of_a_sweep_with_their_range) {
  const outcome o =
      gt200_run({"sweep", source_path("kernels/vector_add"), "--config", "gt200", "--param", "N=512,1024", "--set",
                 "tpc.sm.scoreboard.entries_per_warp=1,6", "--no-cache", "--out", path("out")});
  ASSERT_EQ(o.code, 0) << o.err;
  const std::string hints = content_of(path("out/hints.txt"));
  for (const char* blocks : {"2 blocks", "4 blocks"})
    EXPECT_TRUE(std::regex_search(
        hints, std::regex(std::string("in 2 of 4 points: [0-9.]+ to [0-9.]+ % of the issue slots had no warp: the "
                                      "grid has ") +
                          blocks + " for 30 SMs; a larger problem shows more of the chip\n")))
        << hints;
  EXPECT_EQ(std::count(hints.begin(), hints.end(), '\n'), 2) << hints;
}

}  // namespace
}  // namespace gt200::cli
