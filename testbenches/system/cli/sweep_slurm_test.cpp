// gt200 sweep --engine slurm, with programs of this test in place of Slurm's: sbatch runs every element at once, or
// loses some. The real one is measured by scripts/validate slurm.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "testbenches/system/cli/program.h"

namespace gt200::cli {
namespace {

class sweep_on_slurm : public cli_test {
 protected:
  sweep_on_slurm() {
    // Notes its options in sbatch.log. Elements for which the file "lost" has a line "ROUND FIRST ELEMENT" do not
    // run.
    program("sbatch", R"script(#!/bin/sh
echo "$@" >>HERE/sbatch.log
if [ -e HERE/refusal ]; then cat HERE/refusal >&2; exit 1; fi
for word; do
  case $word in
    --array=*) last=${word#--array=0-}; last=${last%%%*} ;;
    --output=*) output=${word#--output=} ;;
    --*) ;;
    *) break ;;
  esac
done
while [ "${1#--}" != "$1" ]; do shift; done
i=0
while [ $i -le $last ]; do
  if ! grep -qx "$3 $4 $i" HERE/lost 2>/dev/null; then
    SLURM_ARRAY_TASK_ID=$i sh "$@" >>"$(echo $output | sed s/%a/$i/)" 2>&1
  fi
  i=$((i + 1))
done
echo 1
)script");
    program("squeue", "#!/bin/sh\n[ ! -e HERE/queue ] || cat HERE/queue\n");
    program("scancel", "#!/bin/sh\necho \"$@\" >>HERE/scancel.log\nrm -f HERE/queue\n");
    program("scontrol", "#!/bin/sh\necho 'MaxArraySize            = 4'\n");
  }

  void program(const std::string& name, std::string script) const {
    const std::string here = path("");
    for (std::size_t at = 0; (at = script.find("HERE/", at)) != std::string::npos;) script.replace(at, 5, here);
    const std::string written = file("bin/" + name, script);
    std::filesystem::permissions(written, std::filesystem::perms::owner_all);
  }
  outcome swept(const std::string& engine, const arguments& more = {}) const {
    arguments args = {"sweep", study_, "--noise", "0", "--no-cache", "--engine", engine, "--out", path(engine)};
    args.insert(args.end(), more.begin(), more.end());
    return run(args);
  }
  outcome run(const arguments& args) const {
    return gt200_run(args,
                     {"PATH=" + path("bin") + ":" + std::getenv("PATH"), "GT200_RESULT_CACHE=" + path("cache")});
  }
  std::string table(const std::string& engine) const { return content_of(path(engine + "/sweep.csv")); }
  std::string submissions() const { return content_of(path("sbatch.log")); }
  static std::ptrdiff_t lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

  const std::string study_ = file("s.toml", R"(kernels = [")" + source_path("kernels/vector_add") + R"("]
configs = ["gt200_small"]
[axes]
tpc.sm.scoreboard.entries_per_warp = "1..8"
[parameters]
N = 512
[engine.slurm]
sbatch = ["--partition=long"]
chunk_seconds = 0
pilot = 2
poll_seconds = 0.01
)");
};

TEST_F(sweep_on_slurm, gives_the_table_of_this_machine) {
  ASSERT_EQ(swept("local").code, 0);
  const outcome result = swept("slurm", {"--sbatch=--qos=low"});
  EXPECT_EQ(result.code, 0) << result.err << result.out;
  EXPECT_EQ(table("slurm"), table("local"));
  // Two points to measure; then six, of which an array holds four.
  ASSERT_EQ(lines(submissions()), 3) << submissions();
  EXPECT_NE(submissions().find("--array=0-1 "), std::string::npos) << submissions();
  EXPECT_NE(submissions().find("--array=0-3 "), std::string::npos) << submissions();
  EXPECT_NE(submissions().find("--requeue"), std::string::npos);
  EXPECT_NE(submissions().find("--partition=long --qos=low " + path("slurm") + "/slurm/task.sh"), std::string::npos)
      << submissions();
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(path("slurm/unfinished")), {}), 0);
}

TEST_F(sweep_on_slurm, lost_tasks_are_submitted_again) {
  file("lost", "round_1 0 0\nround_2 0 1\nround_2 4 0\nround_3 0 0\n");
  const outcome result = swept("slurm");
  EXPECT_EQ(result.code, 0) << result.err << result.out;
  EXPECT_EQ(lines(table("slurm")), 1 + 8);
}

TEST_F(sweep_on_slurm, gives_up_after_some_attempts_and_says_so) {
  file("lost", "round_2 0 1\nround_3 0 0\nround_4 0 0\n");
  const outcome result = swept("slurm");
  EXPECT_EQ(result.code, 3);
  EXPECT_NE(result.out.find("7 of 8 points"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("1 points have no result after 3 attempts"), std::string::npos) << result.out;
  const std::string failures = content_of(path("slurm/failures.txt"));
  EXPECT_EQ(failures.rfind("no result: ", 0), 0u) << failures;
  std::filesystem::remove(path("lost"));
  EXPECT_EQ(run({"sweep", "resume", path("slurm")}).code, 0);
  EXPECT_EQ(lines(table("slurm")), 1 + 8);
}

TEST_F(sweep_on_slurm, asks_for_more_the_second_time) {
  file("lost", "round_2 0 1\n");
  ASSERT_EQ(swept("slurm").code, 0);
  const std::string log = submissions();
  const auto minutes = [](const std::string& line) { return std::atoi(line.c_str() + line.find("--time=") + 7); };
  const std::string first = log.substr(0, log.find('\n') + 1);
  const std::size_t main = first.size(), last = log.rfind('\n', log.size() - 2) + 1;
  EXPECT_GE(minutes(log.substr(last)), 2 * minutes(log.substr(main)));
}

TEST_F(sweep_on_slurm, finds_results_of_others_without_a_task) {
  ASSERT_EQ(run({"sweep", study_, "--out", path("local")}).code, 0);
  const outcome result = run({"sweep", study_, "--engine", "slurm", "--out", path("slurm")});
  EXPECT_NE(result.out.find("8 of 8 points and 5 runs for their noise (13 from the cache)"), std::string::npos)
      << result.out << result.err;
  EXPECT_EQ(submissions(), "");
}

TEST_F(sweep_on_slurm, refusals_of_sbatch_are_one_clear_line) {
  file("refusal", "sbatch: error: invalid partition specified: long\n");
  const outcome result = swept("slurm");
  EXPECT_EQ(result.code, 1);
  EXPECT_TRUE(is_one_clear_line(result.err));
  EXPECT_NE(result.err.find("invalid partition specified: long"), std::string::npos) << result.err;
}

TEST_F(sweep_on_slurm, another_plan_waits_for_the_tasks_of_the_first) {
  ASSERT_EQ(swept("slurm").code, 0);
  file("queue", "RUNNING\nPENDING\nPENDING\n");
  const outcome status = run({"sweep", "status", path("slurm")});
  EXPECT_NE(status.out.find("2 tasks PENDING\n1 tasks RUNNING\n"), std::string::npos) << status.out << status.err;
  const outcome other = swept("slurm", {"--keep", "figures"});
  EXPECT_EQ(other.code, 1);
  EXPECT_NE(other.err.find("jobs of another plan of this study are in the queue"), std::string::npos) << other.err;
  EXPECT_NE(run({"sweep", "cancel", path("slurm")}).out.find("3 tasks cancelled"), std::string::npos);
  EXPECT_EQ(swept("slurm", {"--keep", "figures"}).code, 0);
}

TEST_F(sweep_on_slurm, says_why_tasks_are_held) {
  // At first an older job is held; then the queue is empty.
  program("squeue",
          "#!/bin/sh\necho x >>HERE/calls\n[ $(wc -l <HERE/calls) -gt 4 ] || echo 'PENDING|JobHeldUser'\n");
  const outcome result = swept("slurm");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.err, "gt200: 1 tasks PENDING (JobHeldUser)\n");
}

TEST_F(sweep_on_slurm, says_nothing_while_tasks_wait_for_their_turn) {
  program("squeue", "#!/bin/sh\necho x >>HERE/calls\n[ $(wc -l <HERE/calls) -gt 4 ] || echo 'PENDING|Priority'\n");
  EXPECT_EQ(swept("slurm").err, "");
}

TEST_F(sweep_on_slurm, without_its_programs_says_what_is_missing) {
  std::filesystem::remove(path("bin/squeue"));
  const outcome result =
      gt200_run({"sweep", study_, "--no-cache", "--engine", "slurm", "--out", path("o")}, {"PATH=" + path("bin")});
  EXPECT_EQ(result.code, 1);
  EXPECT_TRUE(is_one_clear_line(result.err));
  EXPECT_NE(result.err.find("squeue: cannot be started"), std::string::npos) << result.err;
}

// Tasks are started by Slurm alone, and only with the build that planned the study.
TEST_F(sweep_on_slurm, a_task_needs_slurm) {
  ASSERT_EQ(swept("slurm").code, 0);
  const outcome task = run({"sweep", "task", path("slurm"), "round_1", "0"});
  EXPECT_EQ(task.code, 1);
  EXPECT_NE(task.err.find("SLURM_ARRAY_TASK_ID is not set"), std::string::npos) << task.err;
}

}  // namespace
}  // namespace gt200::cli
