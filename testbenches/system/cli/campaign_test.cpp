// gt200 campaign: each of the four outcomes by a directed injection, tables that the seed decides alone, and going
// on.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <sstream>

#include "testbenches/system/cli/program.h"

namespace gt200::cli {
namespace {

// Waits in a loop of some 2000 cycles, then stores the number of the thread in $r1. $r4 is the address, $r6 counts.
constexpr const char* waiting =
    "  cvt u32 $r1 u16 $r0l\n"
    "  shl b32 $r2 $r1 0x2\n"
    "  add b32 $r4 b32 s[out] $r2\n"
    "  mov b32 $r6 0x0\n"
    "  mov b32 $r7 0x28\n"
    "loop:\n"
    "  add b32 $r6 $r6 0x1\n"
    "  set $c0 # l u32 $r6 $r7\n"
    "  (lg $c0) bra loop\n"
    "  exit st b32 g14[$r4] $r1\n";

// The bit of a row of the register file; row n is $rn of the first warp.
std::string bit_of(unsigned row, unsigned lane, unsigned bit) {
  return "tpc_0.sm_0.register_file:" + std::to_string((row * 32 + lane) * 32 + bit) + "@4500";
}

class campaign : public cli_test {
 protected:
  outcome run_campaign(const arguments& more, const std::string& out = "out") const {
    arguments args = {"campaign", path("k"), "--config", "gt200_small", "--out", path(out)};
    args.insert(args.end(), more.begin(), more.end());
    return gt200_run(args);
  }
  void SetUp() override { kernel("k", waiting, 32); }
  std::string rows(const std::string& out = "out") const { return content_of(path(out + "/injections.csv")); }
  std::string table(const std::string& out = "out") const { return content_of(path(out + "/structures.csv")); }
  static std::ptrdiff_t lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }
  // The row of the only injection, without its number.
  std::string row_of(const std::string& site) const {
    const outcome result = run_campaign({"--site", site});
    EXPECT_EQ(result.code, 0) << result.out << result.err;
    const std::string text = rows();
    return text.substr(text.find('\n') + 1);
  }
};

TEST_F(campaign, a_wrong_value_that_is_stored_is_silent_and_its_first_instruction_is_named) {
  const std::string row = row_of(bit_of(1, 3, 7));
  EXPECT_NE(row.find(",warp 0 $r1 lane 3 bit 7,1,0,1,read,silent,"), std::string::npos) << row;
  EXPECT_NE(row.find("\"1 byte of out differs, the first at 0xc\""), std::string::npos) << row;
  EXPECT_NE(row.find("st b32 g14[$r4] $r1 of block (0, 0), warp 0, lane 3"), std::string::npos) << row;
}

TEST_F(campaign, an_address_outside_memory_is_detected) {
  const std::string row = row_of(bit_of(4, 0, 31));
  EXPECT_NE(row.find(",read,detected,"), std::string::npos) << row;
  EXPECT_NE(row.find("unmapped address in kernel 'k'"), std::string::npos) << row;
}

TEST_F(campaign, a_loop_without_end_is_a_hang) {
  const std::string row = row_of(bit_of(7, 0, 30));
  EXPECT_NE(row.find(",read,hang,"), std::string::npos) << row;
  EXPECT_NE(row.find("took more than 10 times the cycles"), std::string::npos) << row;
}

TEST_F(campaign, a_value_that_nobody_reads_is_masked) {
  EXPECT_NE(row_of(bit_of(2, 3, 7)).find(",none,masked,"), std::string::npos) << rows();
  EXPECT_NE(row_of(bit_of(500, 3, 7)).find("\"row 500 of no warp, lane 3 bit 7\",0,"), std::string::npos) << rows();
}

TEST_F(campaign, other_timing_with_an_equal_result_is_masked_and_noted) {
  const std::string row = row_of(bit_of(7, 0, 0));  // once more around: 0x29
  EXPECT_NE(row.find(",read,masked,"), std::string::npos) << row;
  std::istringstream fields(row);
  std::string field;
  for (int i = 0; i < 11; ++i) std::getline(fields, field, ',');
  EXPECT_EQ(field, "1") << "timing_changed in " << row;
}

TEST_F(campaign, a_warp_that_loses_a_lane_leaves_its_word) {
  // Active lane 5 of warp 0.
  const std::string row = row_of("tpc_0.sm_0.simt_stack:5@4500");
  EXPECT_NE(row.find("warp 0 active lane 5,1,1,0,,silent,"), std::string::npos) << row;
}

TEST_F(campaign, the_same_seed_gives_the_same_tables_whatever_the_number_of_processes) {
  ASSERT_EQ(run_campaign({"--count", "70", "--draw", "5"}, "a").code, 0);
  ASSERT_EQ(run_campaign({"--count", "70", "--draw", "5", "--jobs", "1", "--batch", "7"}, "b").code, 0);
  ASSERT_EQ(run_campaign({"--count", "70", "--draw", "6"}, "c").code, 0);
  EXPECT_EQ(rows("a"), rows("b"));
  EXPECT_EQ(table("a"), table("b"));
  EXPECT_NE(rows("a"), rows("c"));
  EXPECT_EQ(lines(table("a")), 9) << "seven structures and all";
}

TEST_F(campaign, every_outcome_is_counted_and_dead_bits_are_masked) {
  const outcome result = run_campaign({"--count", "200", "--structure", "register_file", "--occupied"});
  ASSERT_EQ(result.code, 0) << result.out;
  const std::string all = table().substr(table().rfind("\nall,") + 1);
  std::istringstream fields(all);
  std::vector<unsigned> n;
  std::string field;
  for (int i = 0; std::getline(fields, field, ',') && i < 13; ++i)
    n.push_back(i == 0 || field.empty() ? 0 : static_cast<unsigned>(std::stoul(field)));
  ASSERT_EQ(n.size(), 13u) << all;
  EXPECT_EQ(n[3], 200u);
  EXPECT_EQ(n[4], 200u) << "in use";
  EXPECT_EQ(n[5] + n[6] + n[7] + n[8], n[3]) << "detected, hang, silent and masked";
  EXPECT_EQ(n[10], 0u) << "defects";
  EXPECT_GT(n[11], 20u) << "dead bits";
  EXPECT_EQ(n[11], n[12]) << "all of them masked";
}

TEST_F(campaign, goes_on_where_it_stopped) {
  ASSERT_EQ(run_campaign({"--count", "30", "--batch", "10"}).code, 0);
  const std::string before = rows();
  const auto kept = std::filesystem::last_write_time(path("out/points/part_000000/results.json"));
  std::filesystem::remove_all(path("out/points/part_000010"));
  std::filesystem::remove(path("out/injections.csv"));
  ASSERT_EQ(run_campaign({"--count", "30", "--batch", "10"}).code, 0);
  EXPECT_EQ(rows(), before);
  EXPECT_EQ(std::filesystem::last_write_time(path("out/points/part_000000/results.json")), kept);
}

TEST_F(campaign, a_larger_one_keeps_the_injections_of_a_smaller_one) {
  ASSERT_EQ(run_campaign({"--count", "30", "--batch", "10"}).code, 0);
  const std::string before = rows();
  const auto kept = std::filesystem::last_write_time(path("out/points/part_000020/results.json"));
  ASSERT_EQ(run_campaign({"--count", "45", "--batch", "10"}).code, 0);
  EXPECT_EQ(rows().substr(0, before.size()), before);
  EXPECT_EQ(std::filesystem::last_write_time(path("out/points/part_000020/results.json")), kept);
  ASSERT_EQ(run_campaign({"--count", "30", "--batch", "10", "--draw", "2"}).code, 0);
  EXPECT_NE(std::filesystem::last_write_time(path("out/points/part_000020/results.json")), kept)
      << "other sites are run";
}

TEST_F(campaign, several_structures_are_drawn_from_in_every_part) {
  const arguments two = {"--count",       "20",          "--batch",   "10", "--structure",
                         "register_file", "--structure", "scoreboard"};
  ASSERT_EQ(run_campaign(two).code, 0);
  EXPECT_EQ(lines(table()), 4) << "a head, two structures and all";
  EXPECT_EQ(run_campaign({"--count", "20", "--structure", "register_file", "scoreboard"}).code, 2)
      << "a word without an option";
}

TEST_F(campaign, takes_a_program_with_its_launch_on_the_command_line) {
  const auto run = [&](const std::string& out, const std::string& block, const arguments& more) {
    arguments args = {"campaign", path("k/k.s"), "--config", "gt200_small", "--out",  path(out),      "--grid", "1",
                      "--block",  block,         "--arg",    "out:u32[32]", "--site", bit_of(1, 3, 7)};
    args.insert(args.end(), more.begin(), more.end());
    const outcome result = gt200_run(args);
    EXPECT_EQ(result.code, 0) << result.out << result.err;
    return rows(out);
  };
  ASSERT_EQ(run_campaign({"--site", bit_of(1, 3, 7)}).code, 0);
  EXPECT_EQ(run("direct", "32", {}), rows());
  // Another launch is not taken for this one: lane 3 does not run, or the buffer has other content.
  EXPECT_NE(run("narrow", "3", {}), rows());
}

TEST_F(campaign, interrupted_in_the_run_without_a_fault_it_says_so) {
  std::string endless = waiting;
  endless.replace(endless.find("0x28"), 4, "0x7fffffff");
  kernel("endless", endless, 32);
  const arguments args = {"campaign", path("endless"), "--config", "gt200_small", "--out", path("out")};
  const auto begin = std::chrono::steady_clock::now();
  const auto runs = [&] { return std::chrono::steady_clock::now() - begin > std::chrono::milliseconds(1500); };
  EXPECT_EQ(gt200_run_interrupted(args, runs, SIGINT).code, 130);
}

TEST_F(campaign, wrong_input_is_one_clear_line) {
  for (const arguments& wrong : {arguments{"--site", "x"}, arguments{"--site", "tpc_7.sm_0.register_file:1@5"},
                                 arguments{"--site", "tpc_0.sm_0.register_file:99999999999@5"},
                                 arguments{"--site", "tpc_0.sm_0.register_file:1@99999999"},
                                 arguments{"--structure", "fetch"}, arguments{"--sites", path("absent")}}) {
    const outcome result = run_campaign(wrong);
    EXPECT_EQ(result.code, 1) << wrong[1];
    EXPECT_TRUE(is_one_clear_line(result.err)) << wrong[1];
  }
  EXPECT_EQ(run_campaign({"--site", "a:1@1", "--occupied"}).code, 2);
}

TEST_F(campaign, a_file_lists_sites_and_names_its_wrong_line) {
  const std::string list = file("sites", "# two\n" + bit_of(1, 3, 7) + "\n\n" + bit_of(2, 3, 7) + "\n");
  ASSERT_EQ(run_campaign({"--sites", list}).code, 0);
  EXPECT_EQ(lines(rows()), 3);
  const outcome wrong = run_campaign({"--sites", file("wrong", bit_of(1, 3, 7) + "\nnonsense\n")});
  EXPECT_EQ(wrong.code, 1);
  EXPECT_NE(wrong.err.find("wrong:2: "), std::string::npos) << wrong.err;
}

TEST_F(campaign, options_without_a_meaning_are_refused) {
  for (const arguments& wrong : {arguments{"--draw", "-1"}, arguments{"--count", "7", "--site", bit_of(1, 0, 0)},
                                 arguments{"--occupied", "--site", bit_of(1, 0, 0)}}) {
    arguments args = {"campaign", path("k"), "--config", "gt200_small", "--out", path("wrong")};
    args.insert(args.end(), wrong.begin(), wrong.end());
    const outcome result = gt200_run(args);
    EXPECT_EQ(result.code, 2) << wrong[0] << ": " << result.err;
    EXPECT_TRUE(is_one_clear_line(result.err)) << result.err;
  }
}

TEST_F(campaign, one_injection_runs_alone_with_everything_that_a_run_can_show) {
  arguments args = {"run", path("k"), "--config", "gt200_small", "--inject", bit_of(4, 0, 31)};
  const outcome fault = gt200_run(args);
  EXPECT_EQ(fault.code, 4) << fault.err;
  EXPECT_NE(fault.out.find("register_file:4127@4500: warp 0 $r4 lane 0 bit 31, 0 -> 1"), std::string::npos)
      << fault.out;
  args.back() = bit_of(1, 3, 7);
  args.emplace_back("--check");
  EXPECT_EQ(gt200_run(args).code, 3) << "the checker stops at the store";
}

TEST_F(campaign, a_site_behind_the_end_is_refused_by_both_commands) {
  const std::string site = "gt200.tpc_0.sm_0.register_file:1@99999999";
  const outcome of_campaign = run_campaign({"--site", site});
  const outcome of_run =
      gt200_run({"run", path("k"), "--config", "gt200_small", "--out", path("run"), "--inject", site});
  EXPECT_EQ(of_run.code, 1);
  const std::string reason = of_campaign.err.substr(of_campaign.err.find(site));
  EXPECT_NE(reason.find(": the run ends in cycle "), std::string::npos) << reason;
  EXPECT_EQ(of_run.err, "gt200: --inject " + reason);
  EXPECT_FALSE(std::filesystem::exists(path("run/stats.json")));
}

TEST_F(campaign, an_injected_run_does_not_depend_on_threads_or_the_order_of_modules) {
  const arguments args = {"run",      source_path("kernels/reduce0"),
                          "--param",  "N=4096",
                          "--set",    "chip.tpcs=2",
                          "--inject", "tpc_1.sm_0.scoreboard:0@6000",
                          "--inject", "tpc_0.sm_1.simt_stack:7@6000"};
  const auto counters = [&](const arguments& more, const std::string& out) {
    arguments all = args;
    all.insert(all.end(), more.begin(), more.end());
    all.insert(all.end(), {"--max-cycles", "30000", "--out", path(out)});
    gt200_run(all);
    return content_of(path(out + "/stats.csv"));
  };
  const std::string one = counters({}, "one");
  EXPECT_NE(one, "");
  EXPECT_EQ(counters({"--threads", "2", "--share-every-window"}, "two"), one);
  EXPECT_EQ(counters({"--shuffle", "7"}, "shuffled"), one);
  EXPECT_EQ(counters({"--audit"}, "audited"), one);
}

}  // namespace
}  // namespace gt200::cli
