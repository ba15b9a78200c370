// What a run that fails leaves: waves and a log of the cycles before its end.
#include <filesystem>
#include <fstream>

#include "testbenches/system/cli/program.h"

namespace gt200::cli {
namespace {

class evidence : public cli_test {
 protected:
  static constexpr const char* wild = "    mov b32 $r1 0x10\n    ld b32 $r1 g14[$r1]\n    exit mov b32 $r2 $r1\n";

  // Not as other tests, which do without.
  static outcome run(arguments words, const arguments& environment = {}) {
    words.insert(words.begin(), "run");
    words.insert(words.end(), {"--config", "gt200_small"});
    return program_run(gt200_program(), words, environment);
  }
  std::string waves() const {
    for (const char* name : {"out/gt200_failure/waves.fst", "out/gt200_failure/waves.vcd"})
      if (std::filesystem::exists(path(name))) return path(name);
    return "";
  }
  std::string log() const { return path("out/gt200_failure"); }
};

TEST_F(evidence, of_a_fault_is_the_sm_of_its_instruction) {
  const outcome o = run({kernel("wild", wild, 32), "--out", path("out")});
  EXPECT_EQ(o.code, 4);
  EXPECT_TRUE(is_one_clear_line(o.err)) << o.err;
  EXPECT_NE(o.err.find(waves()), std::string::npos) << o.err;
  ASSERT_NE(waves(), "");
  const outcome found = gt200_run({"trace", "find", "i0.2", log()});
  EXPECT_EQ(found.code, 0) << found.err;
  EXPECT_NE(found.out.find("fault"), std::string::npos) << found.out;
}

TEST_F(evidence, can_be_declined) {
  const outcome o = run({kernel("wild", wild, 32), "--out", path("out"), "--no-evidence"});
  EXPECT_EQ(o.code, 4);
  EXPECT_EQ(o.err, "");
  EXPECT_FALSE(std::filesystem::exists(log()));
}

TEST_F(evidence, is_not_made_twice) {
  const outcome o = run({kernel("wild", wild, 32), "--out", path("out"), "--trace"});
  EXPECT_EQ(o.code, 4);
  EXPECT_EQ(o.err, "");
  EXPECT_FALSE(std::filesystem::exists(log()));
}

TEST_F(evidence, of_an_exception_in_a_plugin_reaches_to_the_failing_cycle) {
  const outcome o = run({source_path("kernels/reduce0"), "--param", "N=1024", "--out", path("out"), "--plugin",
                         GT200_THROWING_POLICY, "--set", "tpc.sm.scheduler.policy=throwing", "--set",
                         "tpc.sm.scheduler.throwing.way=0"});
  EXPECT_EQ(o.code, 70) << o.err;
  ASSERT_NE(waves(), "") << o.err;
  // "... gt200.tpc_0.sm_0.issue at cycle 123 of ...: pick no. 50 went wrong"
  const std::size_t at = o.err.find(" at cycle ");
  ASSERT_NE(at, std::string::npos) << o.err;
  const unsigned long cycle = std::stoul(o.err.substr(at + 10));
  const outcome last = gt200_run({"trace", "find", "--cycles", std::to_string(cycle - 20) + ":", log()});
  EXPECT_EQ(last.code, 0) << last.err;
}

// A defect costs nothing of the files that were being written.
TEST_F(evidence, does_not_replace_the_commands_of_the_dram) {
  const outcome o = run({source_path("kernels/reduce0"), "--param", "N=1024", "--no-evidence", "--dram-trace",
                         path("dram.csv"), "--plugin", GT200_THROWING_POLICY, "--set",
                         "tpc.sm.scheduler.policy=throwing", "--set", "tpc.sm.scheduler.throwing.way=0"});
  EXPECT_EQ(o.code, 70) << o.err;
  EXPECT_TRUE(std::filesystem::exists(path("dram.partition_0.csv")));
}

TEST_F(evidence, of_wrong_rtl_is_there) {
  const outcome o =
      run({source_path("kernels/reduce0"), "--param", "N=1024", "--out", path("out"), "--rtl", GT200_WRONG_ARBITER},
          {"GT200_TEST_WAY=throws"});
  EXPECT_EQ(o.code, 70) << o.err;
  EXPECT_NE(waves(), "") << o.err;
}

TEST_F(evidence, of_a_hang_begins_before_nothing_moves) {
  const outcome o = run({kernel("stuck",
                                "    cvt u32 $r1 u16 $r0l\n    mov b32 $r2 0x20\n    set $c0 # l u32 $r1 $r2\n"
                                "    (lg $c0) bra first\n    bar inc wait 0x1 0xfff\n    exit nop\nfirst:\n"
                                "    bar inc wait 0x0 0xfff\n    exit nop\n",
                                64),
                         "--out", path("out")});
  EXPECT_EQ(o.code, 5);
  ASSERT_NE(waves(), "") << o.err;
  EXPECT_EQ(gt200_run({"trace", "find", "i0.2", log()}).code, 0);
}

}  // namespace
}  // namespace gt200::cli
