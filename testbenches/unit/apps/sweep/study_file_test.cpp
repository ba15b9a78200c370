// Study files: docs/sweep.md.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "apps/sweep/definition.h"
#include "toolchain/error.h"

namespace gt200::apps::sweep {
namespace {

namespace fs = std::filesystem;

class study_file : public testing::Test {
 protected:
  study_file() : folder_(testing::TempDir() + "study_file." + std::to_string(getpid())) {
    fs::create_directories(folder_ / "k");
    fs::create_directories(folder_ / "other");
  }
  ~study_file() override { fs::remove_all(folder_); }

  definition read(const std::string& text) const {
    std::ofstream(folder_ / "s.toml") << text;
    return read_study_file((folder_ / "s.toml").string());
  }
  std::string error_of(const std::string& text) const {
    try {
      (void)points_of(read(text));
    } catch (const input_error& error) {
      const std::string what = error.what(), file = (folder_ / "s.toml").string();
      return what.rfind(file, 0) == 0 ? what.substr(file.size()) : what;
    }
    return "none";
  }
  std::vector<std::string> values(const std::string& written) const {
    return read("kernels = [\"k\"]\n[axes]\na = " + written).axes.at(1).values;
  }

  const fs::path folder_;
};

using texts = std::vector<std::string>;

TEST_F(study_file, names_kernels_beside_it) {
  const definition d =
      read("kernels = [\"k\", { path = \"other\", name = \"o\", launch = \"l.toml\", parameters = { N = 3 } }]");
  const axis& kernels = d.axes.at(0);
  EXPECT_EQ(kernels.values, (texts{"k", "o"}));
  EXPECT_EQ(kernels.words(0), (texts{(folder_ / "k").string()}));
  EXPECT_EQ(kernels.words(1),
            (texts{(folder_ / "other").string(), "--launch", (folder_ / "l.toml").string(), "--param", "N=3"}));
  EXPECT_EQ(d.axes.back().values, texts{"gt200"});
}

TEST_F(study_file, keeps_the_order_of_axes) {
  const definition d =
      read("kernels = [\"k\"]\n[axes]\nz = 1\na.b = [2, 3]\n\"a.c\" = \"lrr,gto\"\n[parameters]\nN = 5");
  texts names;
  for (const axis& a : d.axes) names.push_back(a.name());
  EXPECT_EQ(names, (texts{"kernel", "z", "a.b", "a.c", "N", "config"}));
  EXPECT_EQ(d.axes[2].words(1), (texts{"--set", "a.b=3"}));
  EXPECT_EQ(d.axes[4].words(0), (texts{"--param", "N=5"}));
}

TEST_F(study_file, takes_lists_ranges_and_single_values) {
  EXPECT_EQ(values("[1, 2.5, \"x\", true]"), (texts{"1", "2.5", "x", "true"}));
  EXPECT_EQ(values("\"1..3\""), (texts{"1", "2", "3"}));
  EXPECT_EQ(values("7"), texts{"7"});
  EXPECT_EQ(values("602.0"), texts{"602.0"});
  EXPECT_EQ(values("{ from = 1, to = 3 }"), (texts{"1", "2", "3"}));
  EXPECT_EQ(values("{ from = 0, to = 1, step = 0.5 }"), (texts{"0.0", "0.5", "1.0"}));
  EXPECT_EQ(values("{ from = -3, to = -1 }"), (texts{"-3", "-2", "-1"}));
  EXPECT_EQ(values("{ from = 0, to = 0.3, step = 0.1 }").size(), 4u);
  EXPECT_EQ(values("{ from = 4, to = 40, factor = 2 }"), (texts{"4", "8", "16", "32"}));
  EXPECT_EQ(values("{ from = 100, to = 400, count = 4 }"), (texts{"100", "200", "300", "400"}));
  EXPECT_EQ(values("{ from = 0.5, to = 1.5, count = 3 }"), (texts{"0.5", "1.0", "1.5"}));
}

TEST_F(study_file, says_how_to_sample_and_run) {
  const definition d = read(R"(kernels = ["k"]
configs = ["g80", "gtx260"]
out = "results"
counters = ["a.b"]
keep = ["figures"]
constraints = ["a < b"]
[axes]
a = "1..4"
b = "1..4"
[sampling]
method = "sobol"
points = 5
seed = 9
[options]
check = true
max_cycles = 100
threads = 2
[engine]
name = "slurm"
jobs = 3
cache = "c"
[engine.slurm]
sbatch = ["--partition=long"]
chunk_seconds = 30
max_tasks = 7
wait = false
)");
  EXPECT_EQ(d.sample.method, sampling_method::sobol);
  EXPECT_EQ(d.sample.points, 5u);
  EXPECT_EQ(d.sample.seed, 9u);
  EXPECT_EQ(d.out, (folder_ / "results").string());
  EXPECT_EQ(d.run_options, (texts{"--check", "--max-cycles", "100"}));
  EXPECT_EQ(d.keep, texts{"figures"});
  EXPECT_EQ(d.how.engine, "slurm");
  EXPECT_EQ(d.how.jobs, 3u);
  EXPECT_EQ(d.how.threads, 2u);
  EXPECT_EQ(d.how.cache, (folder_ / "c").string());
  EXPECT_EQ(d.how.slurm.sbatch, texts{"--partition=long"});
  EXPECT_EQ(d.how.slurm.chunk_seconds, 30);
  EXPECT_EQ(d.how.slurm.max_tasks, 7u);
  EXPECT_FALSE(d.how.slurm.wait);
  EXPECT_EQ(points_of(d).size(), 5u);
}

TEST_F(study_file, errors_say_where_and_why) {
  EXPECT_EQ(error_of("kernels = [\"none\"]"),
            ":1: " + (folder_ / "none").string() + ": no such kernel folder or file");
  EXPECT_EQ(error_of("kernels = []"), ":1: 'kernels' names no kernel");
  EXPECT_EQ(error_of("kernels = [\"k\", \"k\"]"), ":1: two kernels are called 'k'; give one another name");
  EXPECT_EQ(error_of("kernels = [\"k\"]\naxis = 1").substr(0, 23), ":2: unknown key 'axis' ");
  EXPECT_EQ(error_of("kernels = [\"k\"]\n[axes]\na = [1, 1]"), ":3: the value '1' appears twice");
  EXPECT_EQ(error_of("kernels = [\"k\"]\n[axes]\na = { from = 2, to = 1 }"), ":3: 'to' is smaller than 'from'");
  EXPECT_NE(error_of("kernels = [\"k\"]\n[axes]\na = { from = 1, to = 1e9 }").find("more than 10000"),
            std::string::npos);
  EXPECT_NE(error_of("kernels = [\"k\"]\n[sampling]\nmethod = \"lhs\"\npoints = 3").find("there is no sampling"),
            std::string::npos);
  EXPECT_NE(error_of("kernels = [\"k\"]\nconstraints = [\"x == 1\"]").find("axes are kernel, config"),
            std::string::npos);
  EXPECT_EQ(error_of("kernels = [\"k\"]\nconstraints = [\"a > 1\"]\n[axes]\na = 1"),
            ":2: no point satisfies the constraints");
  EXPECT_NE(error_of("kernels = [\"k\"]\n[axes]\na = 1979-05-27").find(":3: a value of an axis"),
            std::string::npos);
  EXPECT_NE(error_of("kernels = ").find(":1:"), std::string::npos);
  EXPECT_EQ(error_of("kernels = [\"k\"]\n[axes]\na = { from = 1, to = 9e18 }"),
            ":3: 'to' is 9e+18; a range lies between -2^53 and 2^53. List the values instead");
  EXPECT_EQ(error_of("kernels = [\"k\"]\n[engine]\nname = \"cloud\""),
            ":3: 'name' is wrong: there is no engine 'cloud'; engines are local, slurm");
  EXPECT_EQ(error_of("kernels = [\"k\"]\nconfigs = [\n\"gt200\",\n\"gt300\"]").substr(0, 11), ":4: gt300: ");
  EXPECT_EQ(error_of("kernels = [\"k\"]\n[axes]\na = \"1..1000000\"").substr(0, 4), ":3: ");
  EXPECT_EQ(error_of("kernels = [\"k\"]\n\nconstraints = [\n\"a == 'x'\"]\n[axes]\na = [1, 2]"),
            ":4: constraint \"a == 'x'\": the number 1 is compared with the text 'x'");
  EXPECT_NE(error_of("").find("has no 'kernels'"), std::string::npos);
}

TEST_F(study_file, names_only_files_that_a_run_can_keep) {
  EXPECT_EQ(read("kernels = [\"k\"]\nkeep = [\"csv\"]").keep, texts{"csv"});
  const std::string error = error_of("kernels = [\"k\"]\nkeep = [\"nope\"]");
  EXPECT_NE(error.find(":2"), std::string::npos) << error;
  EXPECT_NE(error.find("'nope' is none of stats, csv, config, figures"), std::string::npos) << error;
}

TEST_F(study_file, is_told_from_a_launch_description) {
  std::ofstream(folder_ / "launch.toml") << "schema = 1\nsource = \"x.s\"\n";
  std::ofstream(folder_ / "s.toml") << "kernels = [\"k\"]\n";
  EXPECT_FALSE(is_study_file((folder_ / "launch.toml").string()));
  EXPECT_TRUE(is_study_file((folder_ / "s.toml").string()));
  EXPECT_FALSE(is_study_file((folder_ / "k").string()));
  std::ofstream(folder_ / "s.toml") << "";
  EXPECT_TRUE(is_study_file((folder_ / "s.toml").string()));
}

TEST_F(study_file, a_sample_chooses_designs_and_each_runs_all_kernels_and_replicates) {
  const definition d = read(
      "kernels = [\"k\", \"other\"]\n[axes]\na = \"0..9\"\nb = \"0..9\"\n"
      "[sampling]\nmethod = \"sobol\"\npoints = 7\n[replicates]\njitter = 3");
  const std::vector<point> points = points_of(d);
  EXPECT_EQ(points.size(), 7u * 2 * 3);
  std::map<point, unsigned> runs;  // of each design
  for (const point& p : points) ++runs[{p[1], p[2]}];
  EXPECT_EQ(runs.size(), 7u);
  for (const auto& [design, count] : runs) EXPECT_EQ(count, 6u);
  EXPECT_EQ(note_on_sample(d, points), "");
}

TEST_F(study_file, a_baseline_is_part_of_a_sample) {
  const definition d = read(
      "kernels = [\"k\"]\n[axes]\na.b = \"0..99\"\n[baseline]\na.b = 77\n"
      "[sampling]\nmethod = \"random\"\npoints = 3");
  EXPECT_EQ(d.baseline, texts{"a.b=77"});
  const std::vector<point> points = points_of(d);
  EXPECT_EQ(std::count_if(points.begin(), points.end(), [](const point& p) { return p[1] == 77; }), 1);
  EXPECT_EQ(error_of("kernels = [\"k\"]\n[axes]\na = [1, 2]\nc = \"0..9\"\n[baseline]\na = 3\n"
                     "[sampling]\nmethod = \"random\"\npoints = 3"),
            "baseline a=3: no axis has this value");
}

TEST_F(study_file, replicates_have_seeds_and_jitter) {
  const axis replicates =
      read("kernels = [\"k\"]\n[options]\nseed = 7\n[replicates]\nseeds = 3\njitter = 3").axes.back();
  EXPECT_EQ(replicates.name(), "replicate");
  EXPECT_EQ(read("kernels = [\"k\"]").noise, 5u);
  EXPECT_EQ(read("kernels = [\"k\"]\n[replicates]\nnoise = 0").noise, 0u);
  EXPECT_EQ(replicates.values, (texts{"1", "2", "3"}));
  EXPECT_EQ(replicates.words(2), (texts{"--seed", "9", "--jitter", "9"}));
  EXPECT_EQ(read("kernels = [\"k\"]\n[replicates]\nseeds = 2").axes.back().words(0), (texts{"--seed", "1"}));
  EXPECT_EQ(error_of("kernels = [\"k\"]\n[replicates]\nseeds = 2\njitter = 3"),
            ":2: 2 seeds and 3 of jitter: a replicate has one of each, so both are equal, or one is 0");
}

}  // namespace
}  // namespace gt200::apps::sweep
