// gt200 sweep: one table for many runs; repeating a sweep continues where it stopped.
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "testbenches/system/cli/program.h"

namespace gt200::cli {
namespace {

class sweep : public cli_test {
 protected:
  outcome run_sweep(const arguments& more) const {
    arguments args = {"sweep",    source_path("kernels/vector_add"),
                      "--param",  "N=512",
                      "--config", "gt200_small",
                      "--jobs",   "2",
                      "--out",    path("out")};
    args.insert(args.end(), more.begin(), more.end());
    return gt200_run(args);
  }
  std::string table() const { return content_of(path("out/sweep.csv")); }
  static std::ptrdiff_t lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }
};

TEST_F(sweep, every_combination_has_a_row_and_a_folder) {
  const outcome result =
      run_sweep({"--set", "tpc.sm.scheduler.policy=gto,lrr", "--set", "tpc.sm.scoreboard.entries_per_warp=1..2"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(lines(table()), 5);
  EXPECT_NE(table().find("\ngto,1,512,gt200_small,0,done,true,"), std::string::npos) << table();
  EXPECT_NE(table().find("\nlrr,2,512,gt200_small,0,done,true,"), std::string::npos) << table();
  EXPECT_NE(
      content_of(path("out/points/tpc.sm.scheduler.policy=gto,tpc.sm.scoreboard.entries_per_warp=2/stats.json"))
          .size(),
      0u);
}

TEST_F(sweep, a_repeated_one_runs_only_new_points) {
  ASSERT_EQ(run_sweep({"--set", "tpc.sm.scoreboard.entries_per_warp=1,2"}).code, 0);
  const std::string first = table();
  const outcome again = run_sweep({"--set", "tpc.sm.scoreboard.entries_per_warp=1,2,3"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_NE(again.out.find("3 of 3 points (2 from before)"), std::string::npos) << again.out;
  EXPECT_EQ(table().substr(0, first.size()), first);
}

TEST_F(sweep, points_that_failed_for_reasons_outside_the_run_run_again) {
  const arguments points = {"--set", "tpc.sm.scoreboard.entries_per_warp=1,2,3,4,5"};
  ASSERT_EQ(run_sweep(points).code, 0);
  int entries = 0;
  for (const int code : {1, 70, 137, 3, 0}) {  // a full disk, a defect, a kill, a wrong result, a correct one
    const std::string name = "out/points/tpc.sm.scoreboard.entries_per_warp=" + std::to_string(++entries);
    std::string ending = content_of(path(name + "/ending.json"));
    ending.replace(ending.find("\"exit_code\": 0"), 14, "\"exit_code\": " + std::to_string(code));
    file(name + "/ending.json", ending);
  }
  const outcome again = run_sweep(points);
  EXPECT_EQ(again.code, 3);
  EXPECT_NE(again.out.find("5 of 5 points (2 from before): 4 correct"), std::string::npos) << again.out;
}

TEST_F(sweep, an_exhausted_limit_is_the_reason_of_a_failure) {
  EXPECT_EQ(run_sweep({"--max-cycles", "100"}).code, 3);
  const std::string failures = content_of(path("out/failures.txt"));
  EXPECT_EQ(failures.rfind("exit code 6: the limit of cycles is used up\n", 0), 0u) << failures;
}

TEST_F(sweep, takes_words_that_are_no_utf_8) {
  const std::string folder = path("caf\xe9");
  std::filesystem::rename(kernel("k", "    exit nop\n", 32), folder);
  const arguments args = {"sweep", folder, "--config", "gt200_small", "--out", path("out")};
  const outcome first = gt200_run(args);
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_NE(gt200_run(args).out.find("1 of 1 points (1 from before)"), std::string::npos);
}

TEST_F(sweep, results_may_be_kept_in_the_folder_of_the_kernel) {
  const std::string folder = kernel("kept", "    exit nop\n", 32);
  const arguments args = {"sweep", folder, "--config", "gt200_small", "--out", folder + "/results"};
  ASSERT_EQ(gt200_run(args).code, 0);
  const outcome again = gt200_run(args);
  EXPECT_NE(again.out.find("1 of 1 points (1 from before)"), std::string::npos) << again.out << again.err;
}

TEST_F(sweep, a_failed_point_is_listed_with_its_reason_and_the_others_run) {
  const outcome result = run_sweep({"--set", "tpc.sm.scoreboard.entries_per_warp=4,999"});
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(lines(table()), 3);
  const std::string failures = content_of(path("out/failures.txt"));
  EXPECT_NE(failures.find("exit code 1: --set tpc.sm.scoreboard.entries_per_warp=999: "), std::string::npos)
      << failures;
  EXPECT_NE(failures.find("gt200 run "), std::string::npos) << failures;
}

TEST_F(sweep, mistakes_are_reported_before_anything_runs) {
  for (const arguments& wrong : std::vector<arguments>{{"--set", "tpc.sm.scoreboard.entrys=1,2"},
                                                       {"--set", "tpc.sm.scoreboard.entries_per_warp=2..1"},
                                                       {"--param", "N=256"}}) {
    const outcome result = run_sweep(wrong);
    EXPECT_EQ(result.code, 1) << wrong[1];
    EXPECT_EQ(lines(result.err), 1) << result.err;
    struct stat there {};
    EXPECT_NE(stat(path("out").c_str(), &there), 0) << wrong[1];
  }
}

}  // namespace
}  // namespace gt200::cli
