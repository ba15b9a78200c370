// gt200 trace diff: the first difference of two logs.
#include "testbenches/system/cli/traced_run.h"

namespace gt200::cli {
namespace {

class trace_diff : public traced_run {
 protected:
  void trace(const std::string& out, const arguments& more = {}) const {
    arguments all = {"--trace"};
    all.insert(all.end(), more.begin(), more.end());
    const outcome ran = run(all, out);
    ASSERT_EQ(ran.code, 0) << ran.err;
  }
  outcome diff(const arguments& more) const {
    arguments all = {"trace", "diff"};
    all.insert(all.end(), more.begin(), more.end());
    return gt200_run(all);
  }
};

TEST_F(trace_diff, finds_nothing_in_two_runs_of_the_same) {
  trace("a");
  trace("b");
  const outcome o = diff({path("a"), path("b")});
  EXPECT_EQ(o.code, 0) << o.out << o.err;
  EXPECT_EQ(o.out.find("0 of "), 0u) << o.out;
  EXPECT_NE(o.out.find(" 0 are in A alone, 0 in B\n"), std::string::npos) << o.out;
}

// Two entries instead of six are first seen where the entries of the scoreboard are counted.
TEST_F(trace_diff, begins_with_the_module_that_differs_first) {
  trace("a");
  trace("b", {"--set", "tpc.sm.scoreboard.entries_per_warp=2"});
  const outcome o = diff({path("a"), path("b"), "--modules", "3"});
  EXPECT_EQ(o.code, 3) << o.err;
  const auto lines = lines_of(o.out);
  ASSERT_EQ(lines.size(), 11u) << o.out;
  EXPECT_EQ(lines[0].find("gt200.tpc_0.sm_0.scoreboard.has_room, value 2, and "), 0u) << o.out;
  EXPECT_EQ(lines[1].find("  A "), 0u);
  EXPECT_EQ(lines[2].find("  B "), 0u);
  EXPECT_EQ(lines[3].find("gt200.tpc_0.sm_1.scoreboard.has_room"), 0u) << o.out;
  EXPECT_NE(lines[9].find(" more modules"), std::string::npos) << o.out;
}

// Slower SPs make every instruction of a lone warp late, and change nothing of what write-back does and in which
// order.
TEST_F(trace_diff, can_leave_times_out) {
  const std::string chain = kernel(
      "chain", "    shl b32 $r1 $r0 0x2\n    add b32 $r1 $r1 0x1\n    add b32 $r1 $r1 0x2\n    exit nop\n", 32);
  for (const auto& [out, latency] : {std::pair("a", "24"), std::pair("b", "40")})
    ASSERT_EQ(gt200_run({"run", chain, "--config", "gt200_small", "--out", path(out), "--trace", "--wave-scope",
                         "gt200.tpc_0.sm_0.write_back.from_sp*", "--set",
                         std::string("tpc.sm.sp.latency_cycles=") + latency})
                  .code,
              0);
  const outcome timed = diff({path("a"), path("b")});
  EXPECT_EQ(timed.code, 3);
  EXPECT_NE(timed.out.find("write_back.from_sp, event 2"), std::string::npos) << timed.out;
  const outcome untimed = diff({path("a"), path("b"), "--untimed"});
  EXPECT_EQ(untimed.code, 0) << untimed.out;
}

// Numbers of texts differ between a whole log and one of a part; texts are compared, and what one log lacks is
// counted.
TEST_F(trace_diff, compares_what_both_logs_have) {
  trace("whole");
  trace("part", {"--wave-scope", "gt200.tpc_0.sm_1.*"});
  const outcome o = diff({path("whole"), path("part")});
  EXPECT_EQ(o.code, 0) << o.out;
  EXPECT_EQ(o.out.find(" 0 are in A alone"), std::string::npos) << o.out;
}

TEST_F(trace_diff, reports_what_cannot_be_compared) {
  trace("a");
  trace("window", {"--wave-window", "3700:3800"});
  const outcome other = diff({path("a"), path("window")});
  EXPECT_EQ(other.code, 1);
  EXPECT_TRUE(is_one_clear_line(other.err)) << other.err;
  EXPECT_NE(other.err.find("has core cycles 0:, "), std::string::npos) << other.err;
  const outcome none = diff({path("a"), path("nowhere")});
  EXPECT_EQ(none.code, 1);
  EXPECT_TRUE(is_one_clear_line(none.err)) << none.err;
  EXPECT_EQ(diff({path("a")}).code, 2);
}

TEST_F(trace_diff, says_that_a_log_ends_early) {
  trace("a");
  std::filesystem::copy_file(path("a/trace.log"), path("cut.log"));
  std::filesystem::resize_file(path("cut.log"), std::filesystem::file_size(path("cut.log")) / 2);
  const outcome o = diff({path("a"), path("cut.log"), "--modules", "1"});
  EXPECT_EQ(o.code, 3);
  EXPECT_NE(o.out.find("  B            nothing more"), std::string::npos) << o.out;
  EXPECT_NE(o.err.find("cut.log: the end of the log is missing"), std::string::npos) << o.err;
}

}  // namespace
}  // namespace gt200::cli
