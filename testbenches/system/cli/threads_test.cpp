// --threads: the number of threads changes nothing but the time on the host.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "testbenches/system/cli/program.h"

namespace gt200::cli {
namespace {

using nlohmann::json;

struct threaded_case {
  std::string name;
  arguments options;  // of `gt200 run`
  int code = 0;
  bool traced = false;  // with waves
};

class threads : public cli_test {
 protected:
  // What a run leaves: its exit code, all of stats.json but the host's part, the table, and the waves, if any.
  struct left {
    int code = 0;
    std::string statistics;
    std::string table;
    std::string waves;
    json host;
  };
  left run(const arguments& options, const std::string& count) const {
    arguments args = {"run"};
    args.insert(args.end(), options.begin(), options.end());
    args.insert(args.end(), {"--out", path("out"), "--threads", count, "--share-every-window"});
    const outcome result = gt200_run(args);
    json statistics = json::parse(content_of(path("out/stats.json")));
    const json host = statistics["host"];
    statistics.erase("host");
    statistics.erase("command_line");
    const std::string waves = path("out/waves.vcd");
    return {result.code, statistics.dump(), content_of(path("out/stats.csv")),
            std::filesystem::exists(waves) ? content_of(waves) : "", host};
  }
};

class any_number_of_threads : public threads, public testing::WithParamInterface<threaded_case> {};

TEST_P(any_number_of_threads, leaves_the_same_files) {
  arguments options = GetParam().options;
  options.front() = source_path("kernels/" + options.front());
  if (GetParam().traced) options.insert(options.end(), {"--waves", path("out/waves.vcd")});
  const left one = run(options, "1");
  EXPECT_EQ(one.code, GetParam().code);
  EXPECT_EQ(one.host["threads"], 1);
  EXPECT_EQ(one.host["shared_windows"], 0);
  for (const char* count : {"2", "3", "8"}) {
    const left other = run(options, count);
    EXPECT_EQ(other.code, one.code) << count;
    EXPECT_TRUE(other.statistics == one.statistics) << count;
    EXPECT_TRUE(other.table == one.table) << count;
    EXPECT_TRUE(other.waves == one.waves) << count;
    EXPECT_EQ(other.waves.empty(), !GetParam().traced);
    EXPECT_EQ(other.host["threads"], std::stoi(count));
  }
}

INSTANTIATE_TEST_SUITE_P(
    run, any_number_of_threads,
    testing::Values(
        threaded_case{"arithmetic", {"madloop", "--param", "ITERS=1"}},
        threaded_case{"memory", {"vector_add", "--param", "N=32768"}},
        threaded_case{"divergence_and_launches", {"bfs", "--param", "N=512"}},
        threaded_case{"atomics", {"atomic_counter", "--param", "N=500"}},
        threaded_case{"texture", {"texture_filter"}},
        threaded_case{"g80", {"vector_add", "--param", "N=16384", "--config", "g80"}},
        threaded_case{"fermi",
                      {"../testbenches/system/fermi/programs/saxpy.s", "--config=gtx480", "--grid=8", "--block=128",
                       "--arg=u32=1000", "--arg=f32=2", "--arg=x:f32[1024]=iota", "--arg=y:f32[1024]=iota"}},
        threaded_case{"stalls", {"vector_add", "--param", "N=8192", "--stalls", "50"}},
        threaded_case{"shuffle", {"vector_add", "--param", "N=8192", "--shuffle", "5"}},
        threaded_case{"checked", {"reduce0", "--param", "N=8192", "--check"}},
        threaded_case{"checked_memory", {"bfs", "--param", "N=512", "--check"}},
        threaded_case{"checked_atomics", {"atomic_counter", "--param", "N=500", "--check"}},
        threaded_case{"checked_texture", {"texture_filter", "--check"}},
        threaded_case{"checked_and_stalled", {"vector_add", "--param", "N=8192", "--check", "--stalls", "50"}},
        threaded_case{
            "traced", {"matrix_mul", "--wave-scope", "gt200.tpc_0.sm_0.*", "--wave-window", "2000:3000"}, 0, true},
        threaded_case{"limit", {"matrix_mul", "--max-cycles", "3333"}, 6},
        threaded_case{"interrupted", {"matrix_mul", "--interrupt-at", "4321"}, 130},
        threaded_case{"ideal_memory",
                      {"vector_add", "--param", "N=8192", "--set", "idealisations.ideal_memory=true"}}),
    [](const testing::TestParamInfo<threaded_case>& tested) { return tested.param.name; });

// What has just crossed the border of a TPC is part of the explanation, whoever hands it over.
TEST_F(threads, a_run_at_its_limit_explains_the_same_in_windows_and_in_the_order_of_time) {
  const arguments limited = {source_path("kernels/copy"), "--param", "N=65536", "--max-cycles", "4801"};
  const left windows = run(limited, "2");
  EXPECT_EQ(windows.code, 6);
  arguments reference = limited;
  reference.insert(reference.end(), {"--clocking", "reference"});
  EXPECT_TRUE(run(reference, "1").statistics == windows.statistics);
  arguments traced = limited;
  traced.insert(traced.end(), {"--trace", "--wave-scope", "*.issue.*"});
  EXPECT_TRUE(run(traced, "1").statistics == windows.statistics);
}

TEST_F(threads, share_the_windows_of_a_chip_with_work) {
  const left two = run({source_path("kernels/madloop"), "--param", "ITERS=1"}, "2");
  EXPECT_GT(two.host["shared_windows"], 100);
}

TEST_F(threads, share_the_windows_of_a_checked_chip) {
  const left two = run({source_path("kernels/madloop"), "--param", "ITERS=1", "--check"}, "2");
  EXPECT_GT(two.host["shared_windows"], 100);
}

TEST_F(threads, share_the_windows_outside_of_what_is_traced) {
  const arguments traced = {source_path("kernels/madloop"), "--param",      "ITERS=1",           "--waves",
                            path("out/waves.vcd"),          "--wave-scope", "gt200.tpc_0.sm_0.*"};
  const auto in_window = [&](const std::string& window) {
    arguments options = traced;
    options.insert(options.end(), {"--wave-window", window});
    return run(options, "2");
  };
  const left late = in_window("3000:4000");
  EXPECT_GT(late.host["shared_windows"], 100);
  EXPECT_FALSE(late.waves.empty());
  EXPECT_GT(in_window("0:1000").host["shared_windows"], 100);
  EXPECT_EQ(in_window("0:1000000").host["shared_windows"], 0);
}

// Two SMs of different TPCs are damaged in one cycle: what the checker says first does not depend on who runs
// first.
TEST_F(threads, the_first_difference_is_the_same_with_any_number_of_them) {
  const auto report = [&](const arguments& more) {
    arguments args = {"run",
                      source_path("kernels/reduce0"),
                      "--param",
                      "N=8192",
                      "--check",
                      "--inject",
                      "tpc_3.sm_0.register_file:1@5000",
                      "--inject",
                      "tpc_7.sm_1.register_file:1@5000"};
    args.insert(args.end(), more.begin(), more.end());
    const outcome result = gt200_run(args);
    EXPECT_EQ(result.code, 3) << result.err;
    return result.out.substr(0, result.out.find("\nhost ")) + result.err;
  };
  const std::string one = report({});
  EXPECT_NE(one.find("gt200.tpc_"), std::string::npos) << one;
  for (const char* count : {"2", "4", "8"})
    EXPECT_EQ(report({"--threads", count, "--share-every-window"}), one) << count;
}

TEST_F(threads, a_fault_is_the_same_with_any_number_of_them) {
  const std::string folder =
      kernel("fault", "    mov b32 $r1 0x10\n    ld b32 $r1 g14[$r1]\n    exit mov b32 $r2 $r1\n", 32);
  const left one = run({folder}, "1");
  EXPECT_EQ(one.code, 4);
  for (const char* count : {"2", "5"}) EXPECT_TRUE(run({folder}, count).statistics == one.statistics) << count;
}

TEST_F(threads, auto_means_the_processors_of_the_host) {
  const left run_automatic = run({source_path("kernels/madloop"), "--param", "ITERS=1"}, "auto");
  EXPECT_GE(run_automatic.host["threads"], 1);
}

TEST_F(threads, auto_is_one_thread_for_a_chip_that_several_cannot_run) {
  const arguments perfect = {source_path("kernels/vector_add"), "--param", "N=2048", "--set",
                             "idealisations.perfect_caches=true"};
  const left automatic = run(perfect, "auto");
  EXPECT_EQ(automatic.code, 0);
  EXPECT_EQ(automatic.host["threads"], 1);
  EXPECT_TRUE(automatic.statistics == run(perfect, "1").statistics);
}

TEST_F(threads, what_needs_one_thread_says_so) {
  const arguments small = {"run", source_path("kernels/vector_add"), "--param", "N=2048", "--threads", "2"};
  const auto with = [&](const arguments& more) {
    arguments args = small;
    args.insert(args.end(), more.begin(), more.end());
    return gt200_run(args);
  };
  for (const char* window : {":", "500:600", ":600"}) {
    const outcome traced = with({"--waves", path("w.vcd"), "--wave-window", window});
    EXPECT_EQ(traced.code, 0);
    EXPECT_EQ(traced.err, "gt200: one thread runs the chip while it is traced: traces need the order of time\n");
  }
  const outcome checked =
      gt200_run({"run", source_path("testbenches/system/fermi/programs/saxpy.s"), "--config", "gtx480", "--grid",
                 "8", "--block", "128", "--arg", "u32=1000", "--arg", "f32=2", "--arg", "x:f32[1024]=iota", "--arg",
                 "y:f32[1024]=iota", "--threads", "2", "--check"});
  EXPECT_EQ(checked.code, 0);
  EXPECT_EQ(checked.err,
            "gt200: one thread runs the chip: recordings, and the checker of a chip with L1 data caches, need the "
            "order of time\n");
  EXPECT_EQ(with({"--check"}).err, "");
  const outcome perfect = with({"--set", "idealisations.perfect_caches=true"});
  EXPECT_EQ(perfect.code, 1);
  EXPECT_NE(perfect.err.find("2 threads cannot run this chip: perfect caches read memory in zero time"),
            std::string::npos)
      << perfect.err;
  EXPECT_TRUE(is_one_clear_line(perfect.err));
  EXPECT_EQ(with({"--audit"}).code, 2);
  EXPECT_EQ(
      gt200_run({"run", source_path("kernels/vector_add"), "--param", "N=2048", "--threads", "01", "--audit"}).code,
      0);
  EXPECT_EQ(with({"--clocking", "reference"}).code, 2);
}

TEST_F(threads, a_profile_says_where_the_time_of_the_host_went) {
  const arguments args = {
      "run", source_path("kernels/madloop"), "--param", "ITERS=4", "--out", path("out"), "--profile", "--threads"};
  for (const char* count : {"1", "2"}) {
    arguments with = args;
    with.push_back(count);
    const outcome result = gt200_run(with);
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.err.find("profile: "), 0u) << result.err;
    EXPECT_NE(result.err.find(" % in stages of TPCs, "), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("issue "), std::string::npos) << "a kernel of arithmetic issues";
  }
  const json profiled = json::parse(content_of(path("out/stats.json")))["launches"];
  EXPECT_EQ(gt200_run({"run", source_path("kernels/madloop"), "--param", "ITERS=4", "--out", path("out")}).err, "");
  EXPECT_EQ(json::parse(content_of(path("out/stats.json")))["launches"], profiled);
}

TEST_F(threads, a_count_that_is_none_is_refused) {
  for (const char* count : {"0", "-1", "two", "1000000", "2x", ""}) {
    const outcome result = gt200_run({"run", source_path("kernels/vector_add"), "--threads", count});
    EXPECT_NE(result.code, 0) << count;
    EXPECT_NE(result.err.find("is neither auto nor a number from 1 to 256"), std::string::npos) << result.err;
  }
}

TEST_F(threads, ctrl_c_ends_a_threaded_run_with_complete_statistics) {
  const std::string folder = kernel("endless", "again:\n    bra again\n    exit nop\n", 32);
  const outcome result = gt200_run_interrupted({"run", folder, "--out", path("out"), "--threads", "2"},
                                               [&] { return std::filesystem::exists(path("out")); });
  EXPECT_EQ(result.code, 130) << result.out << result.err;
  EXPECT_EQ(json::parse(content_of(path("out/stats.json")))["result"]["end"], "stopped");
}

}  // namespace
}  // namespace gt200::cli
