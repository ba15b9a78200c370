// gt200 sweep: one table for many runs; repeating a sweep continues where it stopped.
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <tuple>

#include "testbenches/system/cli/program.h"

namespace gt200::cli {
namespace {

class sweep : public cli_test {
 protected:
  outcome run_sweep(const arguments& more) const {
    arguments args = {source_path("kernels/vector_add"), "--param", "N=512", "--config", "gt200_small"};
    args.insert(args.end(), more.begin(), more.end());
    return swept(args);
  }
  // With a cache of this test.
  outcome swept(arguments args, const std::string& out = "out") const {
    args.insert(args.begin(), "sweep");
    args.insert(args.end(), {"--noise", "0", "--jobs", "2", "--out", path(out)});
    return gt200_run(args, {"GT200_RESULT_CACHE=" + path("cache")});
  }
  // Folders of the points, as points.csv lists them.
  std::vector<std::string> folders(const std::string& out = "out") const {
    std::vector<std::string> result;
    std::istringstream rows(content_of(path(out + "/points.csv")));
    for (std::string row; std::getline(rows, row);)
      if (const std::string name = row.substr(row.rfind(',') + 1); name != "folder")
        result.push_back(path(out + "/" + name));
    return result;
  }
  // How many of how many points a sweep into a new folder finds in the cache.
  std::string hits(const arguments& args, const std::string& out) const {
    const outcome result = swept(args, out);
    const std::size_t points = result.out.find(" points");
    const std::size_t before = result.out.find(" from the cache");
    if (points == std::string::npos) return result.err;
    const std::size_t open = result.out.rfind('(', before);
    return before == std::string::npos ? "0" : result.out.substr(open + 1, before - open - 1);
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
  ASSERT_EQ(folders().size(), 4u);
  for (const std::string& folder : folders())
    for (const char* name : {"stats.json", "stats.csv", "config.toml", "figures.json", "ending.json"})
      EXPECT_NE(content_of(folder + "/" + name).size(), 0u) << folder << " " << name;
}

TEST_F(sweep, a_repeated_one_runs_only_new_points) {
  ASSERT_EQ(run_sweep({"--set", "tpc.sm.scoreboard.entries_per_warp=1,2"}).code, 0);
  const std::string first = table();
  const outcome again = run_sweep({"--set", "tpc.sm.scoreboard.entries_per_warp=1,2,3"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_NE(again.out.find("3 of 3 points (2 from before)"), std::string::npos) << again.out;
  EXPECT_EQ(table().substr(0, first.size()), first);
}

TEST_F(sweep, threads_auto_is_one_thread_for_the_points_that_several_cannot_run) {
  const outcome o = run_sweep({"--set", "idealisations.perfect_caches=true,false", "--threads", "auto"});
  EXPECT_EQ(o.code, 0) << o.out << o.err;
}

TEST_F(sweep, an_exhausted_limit_is_the_reason_of_a_failure) {
  EXPECT_EQ(run_sweep({"--max-cycles", "100"}).code, 3);
  const std::string failures = content_of(path("out/failures.txt"));
  EXPECT_EQ(failures.rfind("exit code 6: the limit of cycles is used up\n", 0), 0u) << failures;
}

TEST_F(sweep, takes_words_that_are_no_utf_8) {
  const std::string folder = path("caf\xe9");
  std::filesystem::rename(kernel("k", "    exit nop\n", 32), folder);
  const arguments args = {folder, "--config", "gt200_small"};
  const outcome first = swept(args);
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_NE(swept(args).out.find("1 of 1 points (1 from before)"), std::string::npos);
}

TEST_F(sweep, results_may_be_kept_in_the_folder_of_the_kernel) {
  const std::string folder = kernel("kept", "    exit nop\n", 32);
  const arguments args = {folder, "--config", "gt200_small"};
  ASSERT_EQ(swept(args, "kept/results").code, 0);
  const outcome again = swept(args, "kept/results");
  EXPECT_NE(again.out.find("1 of 1 points (1 from before)"), std::string::npos) << again.out << again.err;
}

TEST_F(sweep, a_failed_point_is_listed_with_its_reason_and_the_others_run) {
  const outcome result = run_sweep({"--set", "tpc.sm.scoreboard.entries_per_warp=4,999"});
  EXPECT_EQ(result.code, 3);
  EXPECT_NE(result.out.find("\nfirst failure: --set tpc.sm.scoreboard.entries_per_warp=999: "), std::string::npos)
      << result.out;
  EXPECT_EQ(lines(table()), 3);
  const std::string failures = content_of(path("out/failures.txt"));
  EXPECT_NE(failures.find("exit code 1: --set tpc.sm.scoreboard.entries_per_warp=999: "), std::string::npos)
      << failures;
  EXPECT_NE(failures.find("gt200 run "), std::string::npos) << failures;
}

TEST_F(sweep, a_parameter_of_a_kernel_is_no_axis_as_well) {
  const std::string study = file("twice.toml", "kernels = [{ path = \"" + source_path("kernels/vector_add") +
                                                   "\", parameters = { N = 256 } }]\nconfigs = [\"gt200_small\"]\n"
                                                   "[parameters]\nN = 512\n");
  const outcome result = gt200_run({"sweep", study, "--out", path("out")});
  EXPECT_EQ(result.code, 1) << result.out;
  EXPECT_TRUE(is_one_clear_line(result.err));
  EXPECT_NE(result.err.find("--param N: is given twice, of the kernel and as an axis"), std::string::npos)
      << result.err;
}

TEST_F(sweep, mistakes_are_reported_before_anything_runs) {
  for (const arguments& wrong : std::vector<arguments>{{"--set", "tpc.sm.scoreboard.entrys=1,2"},
                                                       {"--set", "tpc.sm.scoreboard.entries_per_warp=2..1"},
                                                       {"--counter", "tpc.sm.icache.mises"},
                                                       {"--counter", "tpc_0.sm_0.icache.misses"},
                                                       {"--where", "N == 'gto'"},
                                                       {"--param", "N=256"}}) {
    const outcome result = run_sweep(wrong);
    EXPECT_EQ(result.code, 1) << wrong[1];
    EXPECT_EQ(lines(result.err), 1) << result.err;
    struct stat there {};
    EXPECT_NE(stat(path("out").c_str(), &there), 0) << wrong[1];
  }
}

TEST_F(sweep, a_study_file_says_the_same_as_options) {
  const std::string study = file("study/s.toml", R"(kernels = [")" + source_path("kernels/vector_add") + R"("]
configs = ["gt200_small"]
constraints = ["tpc.sm.scoreboard.entries_per_warp < 3 || tpc.sm.scheduler.policy == 'gto'"]
counters = ["tpc.sm.icache.misses"]
[axes]
tpc.sm.scheduler.policy = ["gto", "lrr"]
tpc.sm.scoreboard.entries_per_warp = { from = 1, to = 4, factor = 2 }
[parameters]
N = 512
)");
  const outcome from_file = swept({study}, "from_file");
  EXPECT_EQ(from_file.code, 0) << from_file.err;
  EXPECT_EQ(
      run_sweep({"--set", "tpc.sm.scheduler.policy=gto,lrr", "--set", "tpc.sm.scoreboard.entries_per_warp=1,2,4",
                 "--where", "tpc.sm.scoreboard.entries_per_warp < 3 || tpc.sm.scheduler.policy == 'gto'",
                 "--counter", "tpc.sm.icache.misses"})
          .code,
      0);
  EXPECT_EQ(lines(table()), 1 + 5);
  EXPECT_EQ(content_of(path("from_file/sweep.csv")), table());
  EXPECT_EQ(swept({study, "--set", "a=1"}).code, 1);
}

TEST_F(sweep, a_counter_of_some_of_the_chips_is_known) {
  const outcome result = swept({source_path("kernels/vector_add"), "--param", "N=512", "--config",
                                "gt200_small,gtx480", "--set", "chip.tpcs=1", "--counter", "partition.l2.hits"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(table().find(",partition.l2.hits\n"), std::string::npos) << table();
  EXPECT_EQ(lines(table()), 3) << table();
}

TEST_F(sweep, a_counter_named_twice_is_refused) {
  const outcome result =
      swept({source_path("kernels/vector_add"), "--param", "N=512", "--config", "gt200_small", "--set",
             "chip.tpcs=1", "--counter", "tpc.sm.icache.misses", "--counter", "tpc.sm.icache.misses"});
  EXPECT_EQ(result.code, 1);
  EXPECT_TRUE(is_one_clear_line(result.err)) << result.err;
  EXPECT_NE(result.err.find("--counter: the counter 'tpc.sm.icache.misses' is named twice"), std::string::npos);
}

TEST_F(sweep, mistakes_in_a_study_file_have_their_line) {
  const std::string head =
      "kernels = [\"" + source_path("kernels/vector_add") + "\"]\nconfigs = [\"gt200_small\"]\n";
  for (const auto& [text, line, reason] : std::vector<std::tuple<std::string, int, std::string>>{
           {"counters = [\n\"tpc.sm.icache.misses\",\n\"tpc.sm.icache.mises\"]", 5,
            "no chip of this sweep has a counter 'tpc.sm.icache.mises'; did you mean 'tpc.sm.icache.misses'?"},
           {"counters = [\n\"tpc.sm.icache.misses\",\n\"tpc.sm.icache.misses\"]", 5,
            "the counter 'tpc.sm.icache.misses' is named twice"},
           {"counters = [\"tpc_0.sm_0.icache.misses\"]", 3, "did you mean 'tpc.sm.icache.misses'"},
           {"[axes]\nchip.tpcs = 1\ntpc.sm.scoreboard.entrys = [1, 2]", 5,
            "unknown key 'tpc.sm.scoreboard.entrys'"},
           {"[axes]\ntpc.sm.scoreboard.entries_per_warp = 999", 4, "is out of range"},
           {"[parameters]\nM = 3", 4, "there is no parameter 'M' to set"},
           {"[engine]\nname = \"slrm\"", 4, "there is no engine 'slrm'"},
           {"constraints = [\"M == 1\"]", 3, "there is no axis 'M'"}}) {
    const std::string study = file("wrong.toml", head + text + "\n");
    const outcome result = swept({study}, "wrong");
    EXPECT_EQ(result.code, 1) << text;
    EXPECT_TRUE(is_one_clear_line(result.err)) << result.err;
    EXPECT_NE(result.err.find("wrong.toml:" + std::to_string(line) + ": "), std::string::npos) << result.err;
    EXPECT_NE(result.err.find(reason), std::string::npos) << result.err;
    EXPECT_FALSE(std::filesystem::exists(path("wrong"))) << text;
  }
  const outcome none = swept({file("none.toml", "configs = [\"none\"]\nkernels = []\n")});
  EXPECT_NE(none.err.find("none.toml:"), std::string::npos) << none.err;
  const outcome empty = swept({file("empty.toml", "")});
  EXPECT_EQ(empty.code, 1);
  EXPECT_NE(empty.err.find("has no 'kernels'"), std::string::npos) << empty.err;
}

TEST_F(sweep, a_path_that_is_empty_is_refused) {
  for (const char* option : {"--out", "--cache", "--config"}) {
    const outcome result = gt200_run({"sweep", source_path("kernels/vector_add"), option, ""});
    EXPECT_EQ(result.code, 2) << option << result.err;
    EXPECT_NE(result.err.find("names no path"), std::string::npos) << result.err;
  }
}

TEST_F(sweep, a_cache_that_keeps_nothing_is_said) {
  const std::string wrong = file("no_folder", "");
  const arguments args = {"sweep",      source_path("kernels/vector_add"), "--param", "N=512", "--config",
                          "gt200_small"};
  arguments named = args;
  named.insert(named.end(), {"--cache", wrong, "--out", path("named")});
  for (const outcome& result : {gt200_run(named), [&] {
                                  arguments by_environment = args;
                                  by_environment.insert(by_environment.end(), {"--out", path("environment")});
                                  return gt200_run(by_environment, {"GT200_RESULT_CACHE=" + wrong});
                                }()}) {
    EXPECT_EQ(result.code, 1);
    EXPECT_TRUE(is_one_clear_line(result.err)) << result.err;
    EXPECT_NE(result.err.find("cannot be the cache of results"), std::string::npos) << result.err;
  }
  arguments by_default = args;
  by_default.insert(by_default.end(), {"--out", path("default")});
  const outcome result = gt200_run(by_default, {"GT200_RESULT_CACHE=", "XDG_CACHE_HOME=", "HOME=" + wrong});
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(result.err.find("this sweep uses none"), std::string::npos) << result.err;
}

TEST_F(sweep, the_cache_can_be_made_smaller) {
  const arguments args = {source_path("kernels/vector_add"), "--param", "N=512,513", "--config", "gt200_small"};
  EXPECT_EQ(hits(args, "first"), "0");
  const std::string cache = path("cache");
  EXPECT_NE(gt200_run({"sweep", "cache", cache}).out.find(": 2 results, "), std::string::npos);
  EXPECT_NE(gt200_run({"sweep", "cache", cache, "--prune", "1T"}).out.find("removed 0 results"), std::string::npos);
  EXPECT_NE(gt200_run({"sweep", "cache", cache, "--prune", "0"}).out.find("removed 2 results"), std::string::npos);
  EXPECT_EQ(hits(args, "second"), "0");
  for (const char* size : {"", "x", "1X", "-1", "99999999999999999999", "9999999999T"})
    EXPECT_EQ(gt200_run({"sweep", "cache", cache, "--prune", size}).code, 2) << size;
  EXPECT_EQ(gt200_run({"sweep", "cache", path("none")}).code, 1);
}

TEST_F(sweep, several_kernels_have_a_column) {
  const std::string study = file("s.toml", R"(kernels = [")" + source_path("kernels/vector_add") +
                                               R"(", { path = ")" + source_path("kernels/copy") +
                                               R"(", name = "copy" }]
configs = ["gt200_small"]
[parameters]
N = 1024
)");
  const outcome result = swept({study});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(table().rfind("kernel,N,config,exit_code", 0), 0u) << table();
  EXPECT_NE(table().find("\ncopy,1024,gt200_small,0,done,true,"), std::string::npos) << table();
}

TEST_F(sweep, a_sample_is_a_part_of_the_table) {
  const arguments space = {"--set", "tpc.sm.scoreboard.entries_per_warp=1..8", "--set",
                           "tpc.sm.scheduler.policy=gto,lrr"};
  arguments sample = space;
  sample.insert(sample.end(), {"--sample", "sobol:5"});
  EXPECT_EQ(run_sweep(sample).code, 0);
  EXPECT_EQ(lines(table()), 1 + 5);
  sample.back() = "random:20";
  EXPECT_NE(run_sweep(sample).err.find("the sample has 16 points, not 20: there are no more"), std::string::npos);
  sample.back() = "monte_carlo:5";
  EXPECT_EQ(run_sweep(sample).code, 1);
}

TEST_F(sweep, points_may_leave_their_figures_alone) {
  const arguments some = {"--set", "tpc.sm.scoreboard.entries_per_warp=1..3"};
  ASSERT_EQ(run_sweep(some).code, 0);
  const std::string with_all = table();
  arguments few = some;
  few.insert(few.end(), {"--keep", "figures"});
  ASSERT_EQ(run_sweep(few).code, 0);
  EXPECT_EQ(table(), with_all);
  for (const std::string& folder : folders()) EXPECT_FALSE(std::filesystem::exists(folder + "/stats.json"));
}

TEST_F(sweep, the_table_can_be_made_again_with_other_counters) {
  ASSERT_EQ(run_sweep({}).code, 0);
  EXPECT_EQ(table().find(",tpc.sm.icache"), std::string::npos);
  const outcome again = run_sweep({"--counter", "tpc.sm.icache.misses"});
  EXPECT_NE(again.out.find("(1 from before)"), std::string::npos) << again.out;
  EXPECT_NE(table().find(",tpc.sm.icache.misses\n"), std::string::npos);
}

TEST_F(sweep, its_status_counts_points_that_cannot_run_and_its_failures_can_be_run_by_hand) {
  ASSERT_EQ(run_sweep({"--set", "chip.tpcs=0,1"}).code, 3) << "a point failed";
  const outcome status = gt200_run({"sweep", "status", path("out")});
  EXPECT_NE(status.out.find("1 of 1 points have ended, 0 of them failed\n1 more cannot run"), std::string::npos)
      << status.out;
  run_sweep({"--max-cycles", "100"});
  const std::string failures = content_of(path("out/failures.txt"));
  EXPECT_NE(failures.find("\n  gt200 run "), std::string::npos) << failures;
  EXPECT_EQ(failures.find("--keep"), std::string::npos) << "goes with --out alone: " << failures;
}

TEST_F(sweep, its_folder_says_how_far_it_is) {
  ASSERT_EQ(run_sweep({"--set", "tpc.sm.scoreboard.entries_per_warp=1..3"}).code, 0);
  const std::string first = table();
  const outcome status = gt200_run({"sweep", "status", path("out")});
  EXPECT_EQ(status.out.rfind("3 of 3 points have ended, 0 of them failed\n", 0), 0u) << status.out << status.err;
  std::filesystem::remove(path("out/sweep.csv"));
  std::filesystem::remove_all(folders()[1]);
  const outcome collected = gt200_run({"sweep", "collect", path("out")});
  EXPECT_EQ(collected.code, 0) << collected.err;
  EXPECT_EQ(lines(table()), 1 + 2);
  const std::string failures = content_of(path("out/failures.txt"));
  EXPECT_EQ(failures.rfind("no result: the point has not run to its end\n  gt200 run ", 0), 0u) << failures;
  EXPECT_EQ(lines(failures), 2) << failures;
  const outcome resumed = gt200_run({"sweep", "resume", path("out")});
  EXPECT_NE(resumed.out.find("3 of 3 points (2 from before, 1 from the cache)"), std::string::npos) << resumed.out;
  EXPECT_EQ(table(), first);
  EXPECT_FALSE(std::filesystem::exists(path("out/failures.txt")));
  EXPECT_TRUE(is_one_clear_line(gt200_run({"sweep", "status", path("nothing")}).err));
}

TEST_F(sweep, equal_points_of_other_studies_are_found) {
  const arguments args = {source_path("kernels/vector_add"), "--param", "N=512,513", "--config", "gt200_small"};
  EXPECT_EQ(hits(args, "first"), "0");
  EXPECT_EQ(hits(args, "second"), "2");
  EXPECT_EQ(content_of(path("first/sweep.csv")), content_of(path("second/sweep.csv")));
  arguments without = args;
  without.emplace_back("--no-cache");
  EXPECT_EQ(hits(without, "third"), "0");
}

// A kernel with a file of input, an included header, and a configuration of its own with a base.
class cached_sweep : public sweep {
 protected:
  cached_sweep() {
    file("k/launch.toml", R"(schema = 1
source = "k.cu"
[[buffer]]
name = "in"
type = "u32"
count = 32
file = "in.bin"
[[buffer]]
name = "out"
type = "u32"
count = 32
init = "zeros"
[[step]]
launch = "k"
grid = [1]
block = [32]
arguments = ["in", "out"]
)");
    file("k/k.cu",
         "#include \"value.h\"\nextern \"C\" __global__ void k(unsigned *in, unsigned *out) {\n"
         "  out[threadIdx.x] = in[threadIdx.x] + VALUE;\n}\n");
    file("k/value.h", "#define VALUE 1\n");
    file("k/in.bin", std::string(128, 'a'));
    file("base.toml",
         "base = \"" + source_path("configs/gt200_small.toml") + "\"\n[tpc.sm.scoreboard]\nentries_per_warp = 4\n");
    file("top.toml", "base = \"base.toml\"\n[tpc.sm.scheduler]\npolicy = \"gto\"\n");
  }
  std::string hits_of(const std::string& kernel = "k", const std::string& config = "top.toml") {
    return hits({path(kernel), "--config", path(config)}, "out" + std::to_string(number_++));
  }

  int number_ = 0;
};

TEST_F(cached_sweep, moved_and_touched_inputs_are_the_same) {
  ASSERT_EQ(hits_of(), "0");
  EXPECT_EQ(hits_of(), "1");
  for (const char* name : {"k/in.bin", "k/launch.toml", "k/k.cu", "k/value.h", "base.toml"})
    file(name, content_of(path(name)));
  EXPECT_EQ(hits_of(), "1");
  std::filesystem::rename(path("k"), path("elsewhere"));
  std::filesystem::rename(path("top.toml"), path("other_name.toml"));
  EXPECT_EQ(hits_of("elsewhere", "other_name.toml"), "1");
  std::filesystem::rename(path("elsewhere/in.bin"), path("elsewhere/moved.bin"));
  std::string launch = content_of(path("elsewhere/launch.toml"));
  launch.replace(launch.find("in.bin"), 6, "moved.bin");
  file("elsewhere/launch.toml", "# with a comment\n" + launch);
  EXPECT_EQ(hits_of("elsewhere", "other_name.toml"), "1");
}

TEST_F(cached_sweep, one_changed_byte_is_another_run) {
  ASSERT_EQ(hits_of(), "0");
  file("k/value.h", "#define VALUE 2\n");
  EXPECT_EQ(hits_of(), "0") << "an included header";
  file("k/value.h", "#define VALUE 1\n");
  EXPECT_EQ(hits_of(), "1");
  file("k/in.bin", std::string(127, 'a') + 'b');
  EXPECT_EQ(hits_of(), "0") << "a file that the launch names";
  file("k/in.bin", std::string(128, 'a'));
  EXPECT_EQ(hits_of(), "1");
  std::string base = content_of(path("base.toml"));
  base.replace(base.find("= 4"), 3, "= 5");
  file("base.toml", base);
  EXPECT_EQ(hits_of(), "0") << "a base configuration";
  std::string launch = content_of(path("k/launch.toml"));
  launch.replace(launch.find("block = [32]"), 12, "block = [16]");
  file("k/launch.toml", launch);
  EXPECT_EQ(hits_of(), "0") << "the launch description";
}

TEST_F(cached_sweep, options_that_decide_the_result_count) {
  ASSERT_EQ(hits_of(), "0");
  const arguments base = {path("k"), "--config", path("top.toml")};
  for (const arguments& more : std::vector<arguments>{{"--check"},
                                                      {"--max-cycles", "100000"},
                                                      {"--seed", "7"},
                                                      {"--keep", "figures"},
                                                      {"--set", "clocks.shader_mhz=1000"}}) {
    arguments args = base;
    args.insert(args.end(), more.begin(), more.end());
    EXPECT_EQ(hits(args, "more" + std::to_string(number_++)), "0") << more[0];
  }
  arguments args = base;
  args.insert(args.end(), {"--threads", "2"});
  EXPECT_EQ(hits(args, "threads"), "1");
}

TEST_F(cached_sweep, a_damaged_entry_runs_again) {
  ASSERT_EQ(hits_of(), "0");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path("cache")))
    if (entry.path().filename() == "figures.json") {
      std::string text = content_of(entry.path());
      text[text.find("core_cycles") + 14] ^= 1;
      std::filesystem::remove(entry.path());
      std::ofstream(entry.path()) << text;
    }
  EXPECT_EQ(hits_of(), "0");
  EXPECT_EQ(hits_of(), "1");
}

// Rebuilt with one latency changed: no result of the other build is taken, and its own are others.
TEST_F(cached_sweep, a_build_with_another_latency_finds_nothing) {
  const arguments args = {"sweep",      source_path("kernels/bitonic_sort"), "--param", "BLOCKS=1", "--config",
                          "gt200_small"};
  const auto table_of = [&](const std::string& program, const std::string& out, const char* found) {
    arguments words = args;
    words.insert(words.end(), {"--out", path(out)});
    const outcome result = program_run(
        program, words, {"GT200_RESULT_CACHE=" + path("cache"), "GT200_CONFIG_DIR=" + source_path("configs")});
    EXPECT_NE(result.out.find(found), std::string::npos) << out << ": " << result.out << result.err;
    return content_of(path(out + "/sweep.csv"));
  };
  const std::string table = table_of(gt200_program(), "first", "1 of 1 points:");
  const std::string slow = table_of(GT200_SLOW_BRANCH, "slow", "1 of 1 points:");
  EXPECT_NE(table.find(",0,done,true,"), std::string::npos) << table;
  EXPECT_NE(slow.find(",0,done,true,"), std::string::npos) << slow;
  EXPECT_NE(slow, table) << "other cycles";
  EXPECT_EQ(table_of(gt200_program(), "again", "(1 from the cache)"), table);
  EXPECT_EQ(table_of(GT200_SLOW_BRANCH, "slow_again", "(1 from the cache)"), slow);
}

// A copy of the program is the same program; with another byte it is another one.
TEST_F(cached_sweep, another_build_of_the_program_finds_nothing) {
  ASSERT_EQ(hits_of(), "0");
  const std::string program = gt200_program();
  const std::string other = path("build/gt200");
  std::filesystem::create_directories(path("build"));
  std::filesystem::copy_file(program, other);
  const arguments args = {"sweep", path("k"), "--config", path("top.toml")};
  const auto found_by = [&](const std::string& which, const std::string& out) {
    arguments words = args;
    words.insert(words.end(), {"--out", path(out)});
    return program_run(which, words,
                       {"GT200_RESULT_CACHE=" + path("cache"), "GT200_CONFIG_DIR=" + source_path("configs")})
               .out.find("from the cache") != std::string::npos;
  };
  EXPECT_TRUE(found_by(other, "copied"));
  std::ofstream(other, std::ios::app) << "x";
  EXPECT_FALSE(found_by(other, "changed"));
  // What one build planned, another does not go on with.
  const outcome resumed = program_run(other, {"sweep", "resume", path("copied")});
  EXPECT_EQ(resumed.code, 1);
  EXPECT_NE(resumed.err.find("was planned by another build of this program"), std::string::npos) << resumed.err;
}

TEST_F(sweep, killed_at_any_moment_it_repeats_no_finished_point) {
  const arguments args = {"sweep",      source_path("kernels/vector_add"),
                          "--config",   "gt200_small",
                          "--param",    "N=512",
                          "--set",      "tpc.sm.scoreboard.entries_per_warp=1..8",
                          "--set",      "tpc.sm.scheduler.policy=gto,lrr",
                          "--no-cache", "--jobs",
                          "2",          "--out",
                          path("out")};
  std::map<std::string, std::filesystem::file_time_type> finished;
  for (int kills = 0; kills < 5; ++kills) {
    const std::size_t before = finished.size();
    gt200_run_interrupted(
        args,
        [&] {
          std::error_code none_yet;
          std::size_t now = 0;
          for ([[maybe_unused]] const auto& entry :
               std::filesystem::directory_iterator(path("out/points"), none_yet))
            ++now;
          return now > before;
        },
        SIGKILL);
    std::error_code none_yet;
    for (const auto& entry : std::filesystem::directory_iterator(path("out/points"), none_yet))
      finished.emplace(entry.path(), std::filesystem::last_write_time(entry.path() / "ending.json"));
  }
  const outcome last = gt200_run(args);
  EXPECT_EQ(last.code, 0) << last.err;
  EXPECT_GE(finished.size(), 5u);
  for (const auto& [folder, time] : finished)
    EXPECT_EQ(std::filesystem::last_write_time(folder + "/ending.json"), time) << folder;
  EXPECT_EQ(lines(table()), 1 + 16);
}

}  // namespace
}  // namespace gt200::cli
