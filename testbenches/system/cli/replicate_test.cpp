// Replicates: docs/sweep.md.
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "testbenches/system/cli/program.h"

namespace gt200::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const arguments small_chip = {"--config", "gt200_small"};

class replicate : public cli_test {
 protected:
  outcome with_cache(arguments args) const { return gt200_run(args, {"GT200_RESULT_CACHE=" + path("cache")}); }
  // The launches of a run of vector_add.
  nlohmann::json launches(const arguments& more) const {
    arguments args = {"run", "vector_add", "--param", "N=2048", "--out", path("run")};
    args.insert(args.end(), small_chip.begin(), small_chip.end());
    args.insert(args.end(), more.begin(), more.end());
    const outcome o = gt200_run(args);
    EXPECT_EQ(o.code, 0) << o.err;
    return nlohmann::json::parse(content_of(path("run/stats.json"))).at("launches");
  }
};

TEST_F(replicate, jitter_is_the_same_machine_at_another_moment) {
  const nlohmann::json plain = launches({});
  std::set<std::uint64_t> cycles;
  for (const char* seed : {"1", "2", "3", "4"}) {
    cycles.insert(launches({"--jitter", seed})[0].at("core_cycles").get<std::uint64_t>());
    EXPECT_NEAR(static_cast<double>(*cycles.begin()), plain[0].at("core_cycles").get<double>(),
                0.03 * plain[0].at("core_cycles").get<double>());
  }
  EXPECT_GT(cycles.size(), 1u) << "moments differ";
  EXPECT_EQ(launches({"--jitter", "0"}), plain);
}

TEST_F(replicate, jitter_is_a_function_of_the_seed_alone) {
  const nlohmann::json once = launches({"--jitter", "3", "--check"});
  EXPECT_EQ(launches({"--jitter", "3", "--shuffle", "7", "--audit"}), once);
  EXPECT_EQ(launches({"--jitter", "3", "--clocking", "reference"}), once);
  EXPECT_EQ(launches({"--jitter", "3", "--threads", "2", "--share-every-window"}), once);
}

TEST_F(replicate, that_reach_a_limit_say_so) {
  const outcome o = with_cache({"run", "histogram", "--param", "N=1024", "--config", "gt200_small", "--replicate",
                                "2", "--max-cycles", "100"});
  EXPECT_EQ(o.code, 6) << o.err;
  EXPECT_THAT(o.out, ::testing::ContainsRegex("failed        2 with exit code 6: a limit of cycles"));
}

TEST_F(replicate, a_run_has_a_mean_with_its_interval) {
  const outcome o =
      with_cache({"run", "histogram", "--param", "N=1024", "--config", "gt200_small", "--replicate", "3"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("replicates    3 with other input seeds and jitter"));
  EXPECT_THAT(o.out,
              ::testing::ContainsRegex("core cycles   [0-9,]+ \\+- [0-9,]+ \\([0-9.]+ %\\); [0-9,]+ to [0-9,]+"));
  EXPECT_THAT(o.out, HasSubstr("% of a single run; "));
  EXPECT_THAT(o.out, HasSubstr("result        3 of 3 correct"));
}

TEST_F(replicate, options_of_a_single_run_are_refused) {
  const outcome o = gt200_run({"run", "vector_add", "--replicate", "3", "--waves", path("w.fst")});
  EXPECT_EQ(o.code, 2);
  EXPECT_TRUE(is_one_clear_line(o.err)) << o.err;
  EXPECT_THAT(o.err, HasSubstr("--replicate: does not go with --waves"));
}

TEST_F(replicate, a_sweep_compares_the_same_replicate_of_both_designs) {
  const outcome o = with_cache({"sweep", "vector_add", "--param", "N=2048", "--config", "gt200_small", "--set",
                                "tpc.sm.sp.latency_cycles=24,96", "--replicate", "3", "--out", path("out")});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("6 of 6 points"));
  EXPECT_THAT(o.out, HasSubstr("), slower"));
  EXPECT_THAT(content_of(path("out/sweep.csv")), HasSubstr("config,replicate,exit_code,"));
  EXPECT_THAT(content_of(path("out/comparison.csv")), HasSubstr(",slower,"));
  EXPECT_THAT(content_of(path("out/summary.csv")), HasSubstr("core_cycles,core_cycles_ci95,"));
  const outcome turned = gt200_run({"sweep", "compare", path("out"), "--baseline", "tpc.sm.sp.latency_cycles=96"});
  EXPECT_EQ(turned.code, 0) << turned.err;
  EXPECT_THAT(turned.out, HasSubstr("), faster"));
  const outcome wrong = gt200_run({"sweep", "compare", path("out"), "--baseline", "tpc.sm.sp.latency_cycles=5"});
  EXPECT_EQ(wrong.code, 1);
  EXPECT_THAT(wrong.err, HasSubstr("the axis has no such value"));
}

TEST_F(replicate, a_key_without_effect_is_no_difference) {
  const outcome o = with_cache({"sweep", "vector_add", "--param", "N=1024", "--config", "gt200_small", "--set",
                                "topology.hop_cycles=1,3", "--replicate", "2", "--out", path("out")});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("1.000 (1.000 to 1.000), equal"));
}

TEST_F(replicate, of_the_baseline_judge_a_study_of_single_runs) {
  const arguments latencies = {"sweep",    "vector_add",  "--param", "N=2048",
                               "--config", "gt200_small", "--set",   "tpc.sm.sp.latency_cycles=24,96"};
  const auto study = [&](const std::string& name, const arguments& more) {
    arguments args = latencies;
    args.insert(args.end(), {"--out", path(name)});
    args.insert(args.end(), more.begin(), more.end());
    return with_cache(args);
  };
  const outcome o = study("out", {});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("2 of 2 points and 5 runs for their noise: 2 correct"));
  EXPECT_THAT(o.out, HasSubstr(", one run, beyond the noise\n"));
  EXPECT_THAT(o.out,
              ::testing::ContainsRegex("noise of a single run: [0-9.e-]+ % \\(5 replicates of the baseline\\)"));
  EXPECT_THAT(content_of(path("out/noise.csv")), HasSubstr("\nvector_add,24,2048,gt200_small,5,"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(path("out/points")), {}), 7);
  const outcome alike = study("alike", {"--set", "topology.hop_cycles=1,3"});
  EXPECT_THAT(alike.out, HasSubstr("1.000, one run, within the noise\n"));
  EXPECT_THAT(study("elsewhere", {}).out, HasSubstr("(7 from the cache)")) << "the noise is measured once";
  EXPECT_THAT(study("without", {"--noise", "0"}).out, HasSubstr("2 of 2 points (2 from the cache)"));
  EXPECT_FALSE(std::filesystem::exists(path("without/noise.csv")));
  EXPECT_THAT(study("one", {"--noise", "1"}).err, HasSubstr("a single run has no noise"));
  // A study that goes on knows the runs for its noise.
  const outcome again = gt200_run({"sweep", "resume", path("out")});
  EXPECT_THAT(again.out, HasSubstr("(7 from before)"));
  EXPECT_THAT(again.out, HasSubstr("beyond the noise"));
}

TEST_F(replicate, every_design_of_a_sample_runs_all_kernels) {
  const std::string study = file(
      "s.toml",
      R"(kernels = [{ path = "vector_add", parameters = { N = 512 } }, { path = "reduce0", parameters = { N = 1024 } }]
configs = ["gt200_small"]
[axes]
tpc.sm.sp.latency_cycles = [24, 26, 28, 30, 32, 34, 36, 38]
[sampling]
method = "sobol"
points = 3
)");
  const outcome o = with_cache({"sweep", study, "--out", path("out")});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("6 of 6 points and 10 runs for their noise"));
  EXPECT_THAT(o.out, HasSubstr("geometric mean"));
  EXPECT_THAT(content_of(path("out/designs.csv")), Not(HasSubstr("incomplete")));
}

TEST_F(replicate, a_run_is_repeated_and_says_what_differs) {
  const std::string chip = file("chip.toml", "base = \"" + source_path("configs/gt200_small.toml") + "\"\n");
  const outcome first =
      gt200_run({"run", "vector_add", "--param", "N=512", "--config", chip, "--out", path("first")});
  ASSERT_EQ(first.code, 0) << first.err;
  const outcome same = gt200_run({"run", "--again", path("first")});
  EXPECT_EQ(same.code, 0) << same.err;
  EXPECT_THAT(same.out, HasSubstr("again         program, code, inputs and all figures are as before"));
  file("chip.toml",
       "base = \"" + source_path("configs/gt200_small.toml") + "\"\n[tpc.sm.sp]\nlatency_cycles = 96\n");
  const outcome other = gt200_run({"run", "--again", path("first"), "--out", path("second")});
  EXPECT_EQ(other.code, 3) << other.out << other.err;
  EXPECT_THAT(other.out, HasSubstr("again         the configuration has changed"));
  EXPECT_THAT(other.out, HasSubstr(" core cycles instead of "));
  EXPECT_TRUE(std::filesystem::exists(path("second/stats.json")));
  EXPECT_THAT(other.out, Not(HasSubstr("was edited")));
  std::string record = content_of(path("second/config.toml"));
  const std::string key = "latency_cycles = 96";
  ASSERT_NE(record.find(key), std::string::npos);
  file("second/config.toml", record.replace(record.find(key), key.size(), "latency_cycles = 90"));
  const outcome edited = gt200_run({"run", "--again", path("second")});
  EXPECT_EQ(edited.code, 0) << edited.err;
  EXPECT_THAT(edited.out, HasSubstr("second/config.toml was edited, and is not read here"));
  EXPECT_EQ(gt200_run({"run", "--again", path("nothing")}).code, 1);
  EXPECT_EQ(gt200_run({"run", "vector_add", "--again", path("first")}).code, 2);
}

TEST_F(replicate, kernels_have_names) {
  const outcome list = gt200_run({"kernels"});
  EXPECT_EQ(list.code, 0) << list.err;
  EXPECT_THAT(list.out, HasSubstr("\nbfs "));
  const outcome none = gt200_run({"run", "bsf"});
  EXPECT_EQ(none.code, 1);
  EXPECT_THAT(none.err, HasSubstr("no such kernel folder or file; gt200 kernels lists those that have names"));
}

TEST_F(replicate, keys_are_found_by_a_word) {
  const outcome o = gt200_run({"config", "search", "MSHR"});
  EXPECT_EQ(o.code, 0) << o.err;
  for (const char* key : {"tpc.memory.l1.mshrs", "partition.l2.mshrs", "tpc.sm.icache.mshrs"})
    EXPECT_THAT(o.out, HasSubstr(key));
  EXPECT_EQ(gt200_run({"config", "search", "nothing_like_that"}).code, 1);
}

TEST_F(replicate, a_run_says_how_far_it_can_be_trusted) {
  const outcome plain = gt200_run({"run", "vector_add", "--param", "N=512", "--config", "gt200_small"});
  EXPECT_THAT(plain.out, ::testing::ContainsRegex("trust         against silicon, whole kernels [0-9.]+ % off"));
  EXPECT_THAT(plain.out, Not(HasSubstr("differs from")));
  const outcome changed = gt200_run(
      {"run", "vector_add", "--param", "N=512", "--config", "gt200_small", "--set", "tpc.sm.sp.latency_cycles=30"});
  EXPECT_THAT(changed.out, HasSubstr("the configuration differs from gt200_small in 1 key"));
  const outcome fermi = gt200_run({"run", "vector_add", "--param", "N=512", "--config", "gtx480"});
  EXPECT_THAT(fermi.out, HasSubstr("trust         no figure of the silicon is recorded for this generation"));
}

}  // namespace
}  // namespace gt200::cli
