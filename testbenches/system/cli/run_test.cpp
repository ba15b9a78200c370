// gt200 run: kernels on the cycle model, the exit codes of runs, and the statistics they leave.
#include <sys/stat.h>

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <thread>

#include "testbenches/system/cli/all_kernels.h"
#include "testbenches/system/cli/program.h"

namespace gt200::cli {
namespace {

using nlohmann::json;

class run_readme : public cli_test {};

// Some of the lines, in their order; "..." stands for others.
TEST_F(run_readme, shows_lines_that_the_first_command_prints) {
  const std::string readme = content_of(source_path("README.md"));
  const std::string before = "The first prints a summary with these lines:\n\n```\n";
  const std::size_t begin = readme.find(before);
  ASSERT_NE(begin, std::string::npos);
  const std::size_t text = begin + before.size();
  std::istringstream shown(readme.substr(text, readme.find("```", text) - text));
  const std::string printed = gt200_run({"run", source_path("kernels/matrix_mul")}).out;
  std::size_t from = 0;
  unsigned found = 0;
  for (std::string line; std::getline(shown, line);) {
    if (line == "...") continue;
    const std::size_t at = printed.find(line + "\n", from);
    ASSERT_NE(at, std::string::npos) << "'" << line << "' is not in\n" << printed;
    from = at + line.size();
    ++found;
  }
  EXPECT_GE(found, 8u);
}

class every_kernel_on_the_chip : public cli_test, public testing::WithParamInterface<std::string> {};

TEST_P(every_kernel_on_the_chip, gives_the_expected_result) {
  const std::string folder = source_path("kernels/" + GetParam());
  const outcome result = gt200_run({"run", folder});
  EXPECT_EQ(result.code, 0) << result.out << result.err;
  EXPECT_NE(result.out.find("result        correct ("), std::string::npos) << result.out;
  EXPECT_EQ(result.err, "");
}

INSTANTIATE_TEST_SUITE_P(run, every_kernel_on_the_chip, testing::ValuesIn(all_kernels()),
                         [](const testing::TestParamInfo<std::string>& kernel) { return kernel.param; });

class run : public cli_test {
 protected:
  const arguments small = {
      "run",      source_path("kernels/vector_add"), "--param", "N=2048", "--config", "gt200_small", "--out",
      path("out")};

  outcome run_small(const arguments& more = {}) const {
    arguments args = small;
    args.insert(args.end(), more.begin(), more.end());
    return gt200_run(args);
  }
  json stats() const { return json::parse(content_of(path("out/stats.json"))); }
  // The parts that two runs of the same workload have in common.
  static json without_host(json statistics) {
    statistics.erase("host");
    statistics.erase("command_line");
    return statistics;
  }
  // Options for a kernel made by kernel().
  outcome run_kernel(const std::string& folder, const arguments& more = {}) const {
    arguments args = {"run", folder, "--config", "gt200_small", "--out", path("out")};
    args.insert(args.end(), more.begin(), more.end());
    return gt200_run(args);
  }
  static constexpr const char* endless = "again:\n    bra again\n    exit nop\n";
};

// -- statistics --

TEST_F(run, every_issue_slot_of_every_sm_has_exactly_one_cause) {
  ASSERT_EQ(run_small().code, 0);
  const json launch = stats()["launches"][0];
  const std::uint64_t cycles = launch["core_cycles"];
  EXPECT_GT(cycles, 0u);
  const json& accounting = launch["cycle_accounting"];
  ASSERT_EQ(accounting["sms"].size(), 2u);
  const auto sum_of = [](const json& slots) {
    std::uint64_t sum = 0;
    for (const auto& [cause, count] : slots.items()) sum += count.get<std::uint64_t>();
    return sum;
  };
  for (const json& sm : accounting["sms"]) EXPECT_EQ(sum_of(sm["slots"]), cycles) << sm["path"];
  EXPECT_EQ(sum_of(accounting["total"]), 2 * cycles);
}

TEST_F(run, the_table_has_the_figures_of_the_json) {
  ASSERT_EQ(run_small().code, 0);
  std::istringstream lines(content_of(path("out/stats.csv")));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "launch,kernel,path,value,unit,description");
  std::map<std::string, std::uint64_t> figures;
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    std::string launch, kernel, name, value;
    std::getline(fields, launch, ',');
    std::getline(fields, kernel, ',');
    std::getline(fields, name, ',');
    std::getline(fields, value, ',');
    EXPECT_EQ(launch, "0");
    EXPECT_EQ(kernel, "VecAdd");
    EXPECT_TRUE(figures.emplace(name, std::stoull(value)).second) << name << " twice";
  }
  const json launch = stats()["launches"][0];
  EXPECT_EQ(figures["gt200.core_cycles"], launch["core_cycles"]);
  for (const auto& [cause, slots] : launch["cycle_accounting"]["total"].items())
    EXPECT_EQ(figures["gt200.issue_slots." + cause], slots) << cause;
  EXPECT_FALSE(launch["counters"].empty());
  for (const auto& [counter, value] : launch["counters"].items()) EXPECT_EQ(figures[counter], value) << counter;
}

TEST_F(run, issued_slots_are_the_instructions_that_the_sms_count) {
  ASSERT_EQ(run_small().code, 0);
  const json launch = stats()["launches"][0];
  for (const json& sm : launch["cycle_accounting"]["sms"])
    EXPECT_EQ(sm["slots"]["issued"], launch["counters"][sm["path"].get<std::string>() + ".issue.issued"]);
}

TEST_F(run, reports_the_cost_of_the_dependency_mechanism_and_its_look_ups) {
  ASSERT_EQ(run_small({"--set", "tpc.sm.scoreboard.mechanism=bitmap", "--set", "tpc.sm.limits.warps=64", "--set",
                       "tpc.sm.scoreboard.probes_per_cycle=64"})
                .code,
            0);
  const json bitmap = stats();
  EXPECT_EQ(bitmap["chip"]["dependency_tracking_per_sm"]["mechanism"], "bitmap");
  EXPECT_EQ(bitmap["chip"]["dependency_tracking_per_sm"]["storage_bits"], 8192u);
  EXPECT_EQ(bitmap["chip"]["dependency_tracking_per_sm"]["read_ports"], 256u);
  EXPECT_GT(bitmap["launches"][0]["dependency_tracking"]["probes_per_issued_instruction"], 1.0);
  ASSERT_EQ(run_small().code, 0);
  const json coon = stats()["launches"][0];
  EXPECT_EQ(coon["dependency_tracking"]["probes"], coon["cycle_accounting"]["total"]["issued"]);
}

// Every mechanism gives the same cycles and results in every mode of running.
TEST_F(run, every_dependency_mechanism_runs_alike_in_every_clocking_mode) {
  const std::vector<arguments> mechanisms = {
      {"--set", "tpc.sm.scoreboard.mechanism=single_loop"},
      {"--set", "tpc.sm.scoreboard.mechanism=bitmap"},
      {"--set", "tpc.sm.scoreboard.mechanism=bitmap", "--set", "tpc.sm.scoreboard.probes_per_cycle=2"},
      {"--set", "tpc.sm.scoreboard.allocate=at_issue", "--set", "tpc.sm.scoreboard.entries_per_warp=2"},
      {"--set", "tpc.sm.scoreboard.when_full=stall_all", "--set", "tpc.sm.scoreboard.entries_per_warp=2"},
      {"--set", "tpc.sm.scoreboard.when_full=discard", "--set", "tpc.sm.scoreboard.entries_per_warp=1"}};
  for (const arguments& mechanism : mechanisms) {
    json first;
    for (const arguments& way :
         {arguments{"--check"}, {"--clocking", "reference"}, {"--shuffle", "9"}, {"--audit"}}) {
      arguments args = {
          "run",      source_path("kernels/reduce0"), "--config", "gt200_small", "--param", "N=2048", "--out",
          path("out")};
      args.insert(args.end(), mechanism.begin(), mechanism.end());
      args.insert(args.end(), way.begin(), way.end());
      const outcome result = gt200_run(args);
      ASSERT_EQ(result.code, 0) << mechanism[1] << ' ' << way[0] << result.out << result.err;
      if (first.is_null()) first = without_host(stats());
      EXPECT_EQ(without_host(stats()), first) << mechanism[1] << ' ' << way[0];
    }
  }
}

TEST_F(run, every_counter_has_a_path_a_unit_and_a_description) {
  ASSERT_EQ(run_small().code, 0);
  const json counters = stats()["counters"];
  EXPECT_GT(counters.size(), 100u);
  std::set<std::string> paths;
  for (const json& c : counters) {
    EXPECT_EQ(c["path"].get<std::string>().compare(0, 6, "gt200."), 0) << c;
    EXPECT_FALSE(c["unit"].get<std::string>().empty()) << c;
    EXPECT_FALSE(c["description"].get<std::string>().empty()) << c;
    EXPECT_TRUE(paths.insert(c["path"]).second) << c;
  }
}

TEST_F(run, counters_of_the_launches_add_up_to_those_of_the_run) {
  ASSERT_EQ(gt200_run({"run", source_path("kernels/bfs"), "--config", "gt200_small", "--out", path("out")}).code,
            0);
  const json all = stats();
  ASSERT_GT(all["launches"].size(), 1u);
  std::map<std::string, std::uint64_t> sums;
  for (const json& launch : all["launches"])
    for (const auto& [path, value] : launch["counters"].items()) sums[path] += value.get<std::uint64_t>();
  for (const json& c : all["counters"]) {
    const std::string path = c["path"];
    if (path.compare(0, 11, "gt200.host.") == 0) continue;  // copies happen between launches, too
    EXPECT_EQ(c["value"], sums[path]) << path;
  }
}

TEST_F(run, two_runs_differ_in_host_time_and_command_line_only) {
  ASSERT_EQ(run_small().code, 0);
  const json first = stats();
  ASSERT_EQ(run_small({"--max-cycles", "1000000"}).code, 0);
  const json second = stats();
  EXPECT_EQ(without_host(first).dump(), without_host(second).dump());
  EXPECT_NE(first["command_line"], second["command_line"]);
}

TEST_F(run, modes_of_running_do_not_change_the_statistics) {
  ASSERT_EQ(run_small().code, 0);
  const std::string expected = without_host(stats()).dump();
  for (const arguments& way : std::vector<arguments>{{"--clocking", "reference"},
                                                     {"--audit"},
                                                     {"--shuffle", "7"},
                                                     {"--shuffle", "8", "--clocking", "reference"},
                                                     {"--check"}}) {
    ASSERT_EQ(run_small(way).code, 0) << way.front();
    EXPECT_EQ(without_host(stats()).dump(), expected) << way.front();
  }
}

TEST_F(run, injected_stalls_change_cycles_but_no_result) {
  ASSERT_EQ(run_small().code, 0);
  const std::uint64_t cycles = stats()["launches"][0]["core_cycles"];
  const outcome stalled = run_small({"--stalls", "200/1024"});
  EXPECT_EQ(stalled.code, 0) << stalled.out;
  EXPECT_NE(stats()["launches"][0]["core_cycles"], cycles);
}

TEST_F(run, the_resolved_configuration_is_stored_with_the_statistics) {
  ASSERT_EQ(run_small({"--set", "tpc.sm.scheduler.policy=gto"}).code, 0);
  const outcome check = gt200_run({"config", "check", path("out/config.toml")});
  EXPECT_EQ(check.code, 0) << check.err;
  EXPECT_NE(check.out.find("hash " + stats()["configuration_hash"].get<std::string>()), std::string::npos);
  EXPECT_NE(content_of(path("out/config.toml")).find("policy = \"gto\""), std::string::npos);
}

TEST_F(run, leaves_the_files_it_is_asked_for) {
  const auto files_left = [&](const std::string& keep) {
    const arguments args = {"run",      source_path("kernels/vector_add"),
                            "--config", "gt200_small",
                            "--param",  "N=512",
                            "--out",    path(keep),
                            "--keep",   keep};
    EXPECT_EQ(gt200_run(args).code, 0);
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path(keep))) names.insert(entry.path().filename());
    return names;
  };
  EXPECT_EQ(files_left("stats"), (std::set<std::string>{"stats.json"}));
  EXPECT_EQ(files_left("config,csv"), (std::set<std::string>{"config.toml", "stats.csv"}));
  EXPECT_EQ(files_left("figures"), (std::set<std::string>{"figures.json"}));
  EXPECT_EQ(gt200_run({"run", source_path("kernels/vector_add"), "--out", path("x"), "--keep", "all"}).code, 2);
}

TEST_F(run, figures_are_sums_of_the_statistics) {
  ASSERT_EQ(gt200_run({"run", source_path("kernels/bfs"), "--param", "N=512", "--config", "gt200_small", "--out",
                       path("o"), "--keep", "stats,figures"})
                .code,
            0);
  const auto stats = nlohmann::json::parse(content_of(path("o/stats.json")));
  const auto figures = nlohmann::json::parse(content_of(path("o/figures.json")));
  std::uint64_t cycles = 0, issued = 0, misses = 0;
  for (const auto& launch : stats["launches"]) {
    cycles += launch["core_cycles"].get<std::uint64_t>();
    issued += launch["cycle_accounting"]["total"]["issued"].get<std::uint64_t>();
  }
  for (const auto& counter : stats["counters"])
    if (const std::string name = counter["path"]; name.find(".icache.misses") != std::string::npos)
      misses += counter["value"].get<std::uint64_t>();
  EXPECT_GT(stats["launches"].size(), 1u);
  EXPECT_EQ(figures["core_cycles"], cycles);
  EXPECT_EQ(figures["slots"]["issued"], issued);
  EXPECT_EQ(figures["counters"]["tpc.sm.icache.misses"], misses);
  EXPECT_EQ(figures["passed"], true);
}

TEST_F(run, a_refused_run_keeps_the_results_of_an_earlier_one) {
  ASSERT_EQ(run_small({}).code, 0);
  const std::string before = content_of(path("out/stats.json"));
  for (const cli::arguments& refused :
       {cli::arguments{"--waves", path("w.vcd"), "--wave-scope", "nothing*"},
        cli::arguments{"--waves", path("w.vcd"), "--wave-trigger", "mismatch"},
        cli::arguments{"--waves", path("nowhere/w.vcd")}, cli::arguments{"--inject", "gt200.nothing:3@5"}}) {
    EXPECT_EQ(run_small(refused).code, 1) << refused.back();
    EXPECT_EQ(content_of(path("out/stats.json")), before) << refused.back();
  }
}

TEST_F(run, json_goes_to_stdout_alone) {
  const outcome result = run_small({"--json"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.out, content_of(path("out/stats.json")));
  const json all = json::parse(result.out);
  EXPECT_EQ(all["schema"], "gt200.stats");
  EXPECT_EQ(all["schema_version"], 1);
  EXPECT_EQ(all["result"]["passed"], true);
}

// 2048 floats to the device twice, and zeros once: packets of 64 bytes that take 88 on the link. The last one of
// each copy goes on through the crossbar to its partition, and the answer comes back, in less than 200 ns. Each
// copy lasts to the end of a window of 27 ns.
TEST_F(run, copies_take_simulated_time_on_request) {
  ASSERT_EQ(run_small().code, 0);
  const json without = stats();
  ASSERT_EQ(run_small({"--copies", "--set", "host.pcie_mb_per_s=100"}).code, 0);
  const json with = stats();
  std::map<std::string, std::uint64_t> bytes;
  for (const json& counter : with["counters"]) bytes[counter["path"]] = counter["value"];
  EXPECT_EQ(bytes["gt200.host.bytes_to_device"], 3u * 4 * 2048);
  EXPECT_GE(bytes["gt200.host.bytes_from_device"], 4u * 2048);
  const auto began = [](const json& all) { return all["launches"][0]["began_at_fs"].get<std::uint64_t>(); };
  const double copying = static_cast<double>(began(with) - began(without)) - 3.0 * 4 * 2048 * 88 / 64 * 1e9 / 100;
  EXPECT_GT(copying, 3 * 1e8);
  EXPECT_LT(copying, 3 * (2e8 + 2.7e7));
}

// Each of the 2048 threads adds once; the slots of all instructions are those of the SMs.
TEST_F(run, every_issue_slot_with_a_warp_has_an_instruction) {
  ASSERT_EQ(run_small().code, 0);
  const json all = stats();
  const json& accounting = all["launches"][0]["cycle_accounting"];
  std::map<std::string, std::uint64_t> sums;
  std::uint64_t additions = 0;
  for (const json& i : accounting["instructions"]) {
    for (const auto& [cause, count] : i["slots"].items()) sums[cause] += count.get<std::uint64_t>();
    if (i["instruction"].get<std::string>().find("add f32 ") != std::string::npos)
      additions += i["active_lanes"].get<std::uint64_t>();
  }
  EXPECT_EQ(additions, 2048u);
  for (const auto& [cause, count] : accounting["total"].items()) {
    if (cause == "no_warp") continue;
    EXPECT_EQ(sums[cause], count.get<std::uint64_t>()) << cause;
  }
  std::map<std::string, std::uint64_t> of_warps;
  for (const json& sm : all["warps"])
    for (const json& warp : sm)
      for (const auto& [cause, count] : warp.items()) of_warps[cause] += count.get<std::uint64_t>();
  for (const auto& [cause, count] : sums) EXPECT_EQ(of_warps[cause], count) << cause;
}

TEST_F(run, the_summary_accounts_for_all_issue_slots) {
  const outcome result = run_small();
  std::istringstream lines(result.out);
  double sum = 0;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, 11, "issue slots") == 0) {
      inside = true;
    } else if (inside && line.compare(0, 2, "  ") == 0) {
      sum += std::stod(line.substr(28));
    } else {
      inside = false;
    }
  }
  EXPECT_NEAR(sum, 100, 0.05) << result.out;
}

// -- how runs end --

TEST_F(run, a_chip_with_larger_blocks_takes_larger_blocks) {
  const std::string folder = kernel("large", "    exit nop\n", 512);
  const std::string launch = content_of(folder + "/launch.toml");
  file("large/launch.toml",
       launch.substr(0, launch.find("block = ")) + "block = [512, 2]\narguments = [\"out\"]\n");
  const outcome refused = run_kernel(folder);
  EXPECT_EQ(refused.code, 1);
  EXPECT_NE(refused.err.find("the block has 1024 threads, at most 512 are possible"), std::string::npos)
      << refused.err;
  EXPECT_EQ(run_kernel(folder, {"--set", "tpc.sm.limits.threads_per_block=1024", "--check"}).code, 0);
}

TEST_F(run, an_unchecked_result_has_neither_passed_nor_failed) {
  EXPECT_EQ(run_kernel(kernel("nothing", "    exit nop\n", 32)).code, 0);
  EXPECT_TRUE(stats()["result"]["passed"].is_null());
}

TEST_F(run, a_wrong_result_exits_with_3) {
  const std::string folder =
      kernel("idle", "    exit nop\n", 32, "[[expect]]\nbuffer = \"out\"\ncrc32 = \"00000001\"\n");
  const outcome result = run_kernel(folder);
  EXPECT_EQ(result.code, 3);
  EXPECT_NE(result.out.find("WRONG"), std::string::npos) << result.out;
  EXPECT_EQ(stats()["result"]["passed"], false);
}

TEST_F(run, a_fault_exits_with_4_and_names_its_place) {
  const outcome result =
      run_kernel(kernel("wild", "    mov b32 $r1 0x10\n    ld b32 $r1 g14[$r1]\n    exit mov b32 $r2 $r1\n", 32));
  EXPECT_EQ(result.code, 4) << result.out << result.err;
  EXPECT_NE(result.out.find("unmapped address in kernel 'k' at 0x8 (line 4), block (0, 0), warp 0"),
            std::string::npos)
      << result.out;
  EXPECT_EQ(stats()["result"]["end"], "fault");
}

TEST_F(run, a_hang_exits_with_5_and_names_the_waiting_warps) {
  // Warp 0 waits at barrier 0, warp 1 at barrier 1.
  const outcome result = run_kernel(kernel("stuck",
                                           "    cvt u32 $r1 u16 $r0l\n"
                                           "    mov b32 $r2 0x20\n"
                                           "    set $c0 # l u32 $r1 $r2\n"
                                           "    (lg $c0) bra first\n"
                                           "    bar inc wait 0x1 0xfff\n"
                                           "    exit nop\n"
                                           "first:\n"
                                           "    bar inc wait 0x0 0xfff\n"
                                           "    exit nop\n",
                                           64));
  EXPECT_EQ(result.code, 5) << result.out << result.err;
  EXPECT_NE(result.out.find("HANG"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("warp 1 (block 0, warp 1 of it): 0x20: waits at barrier 1"), std::string::npos)
      << result.out;
  // The important part comes first.
  const std::size_t beginning = result.out.find("every warp:");
  for (const char* group :
       {"1 warp at barrier 0: gt200.tpc_0.sm_0 warp 0", "1 warp at barrier 1: gt200.tpc_0.sm_0 warp 1"})
    EXPECT_LT(result.out.find(group), beginning) << result.out;
}

TEST_F(run, text_that_is_no_utf_8_reaches_the_statistics_as_replacement_characters) {
  const std::string folder = kernel("k", "    mov b32 $r1 0x3  // caf\xe9\n    exit nop\n", 32);
  const std::string name = path("caf\xe9.s");
  std::filesystem::copy_file(folder + "/k.s", name);
  const outcome result = run_kernel(folder, {"--source", name});
  EXPECT_EQ(result.code, 0) << result.err;
  const json all = stats();
  EXPECT_NE(all["program"]["source"].get<std::string>().find("caf\xef\xbf\xbd.s"), std::string::npos);
  EXPECT_NE(all["source_lines"].dump().find("caf\xef\xbf\xbd"), std::string::npos) << all["source_lines"];
}

// out[0] = 5 in every pass.
TEST_F(run, a_loop_whose_condition_holds_for_too_long_keeps_what_its_passes_have_left) {
  file("loop/loop.s",
       ".entry k\n.param u32 out\n    mov b32 $r1 b32 s[out]\n    mov b32 $r2 0x5\n"
       "    st b32 g14[$r1] $r2\n    exit nop\n.end\n");
  file("loop/launch.toml",
       "schema = 1\nsource = \"loop.s\"\n[[buffer]]\nname = \"out\"\ntype = \"u32\"\ncount = 1\n"
       "init = \"zeros\"\n[[step]]\nrepeat_while = \"out[0] != 0\"\nrepeat = 3\n"
       "[[step.step]]\nlaunch = \"k\"\ngrid = [1]\nblock = [1]\narguments = [\"out\"]\n");
  const outcome result = run_kernel(path("loop"));
  EXPECT_EQ(result.code, 6) << result.err;
  EXPECT_EQ(result.err, "");
  const std::string reason = path("loop/launch.toml") + ":8: 'out[0] != 0' still holds after 3 repetitions";
  EXPECT_NE(result.out.find("\nresult        not checked: " + reason + "\n"), std::string::npos) << result.out;
  const json all = stats();
  EXPECT_EQ(all["launches"].size(), 3u);
  EXPECT_EQ(all["result"]["end"], "stopped");
  EXPECT_EQ(all["result"]["passed"], false);
  EXPECT_EQ(all["result"]["message"], reason);
  EXPECT_FALSE(content_of(path("out/stats.csv")).empty());
  const outcome emulated = gt200_run({"emulate", path("loop")});
  EXPECT_EQ(emulated.code, 6) << emulated.err;
  EXPECT_NE(emulated.out.find("launches      3\n"), std::string::npos) << emulated.out;
  EXPECT_NE(emulated.out.find("result        LIMIT: " + reason + "\n"), std::string::npos) << emulated.out;
}

TEST_F(run, the_limit_of_cycles_exits_with_6) {
  const outcome result = run_kernel(kernel("endless", endless, 32), {"--max-cycles", "20000"});
  EXPECT_EQ(result.code, 6) << result.out << result.err;
  EXPECT_EQ(stats()["launches"][0]["end"], "max_cycles");
}

// Where warps are formed anew a slot holds other threads than those that started there.
TEST_F(run, what_it_took_too_long_names_the_threads_of_formed_warps) {
  const outcome result = gt200_run({"run", std::string(GT200_SOURCE_DIR) + "/kernels/mandelbrot", "--config",
                                    "gt200_small", "--set", "tpc.sm.warp_formation=dynamic", "--set",
                                    "tpc.sm.warp_former.across_blocks=true", "--max-cycles", "9000"});
  const std::regex line("sm_[01] warp [0-9]+ \\(([^)]*)\\):");
  const std::regex home("([0-9]+)( threads)? of block [0-9]+, warp [0-9]+");
  unsigned several = 0;
  for (std::sregex_iterator l(result.out.begin(), result.out.end(), line), end; l != end; ++l) {
    const std::string content = (*l)[1];
    if (content == "no threads") continue;
    unsigned threads = 0;
    unsigned homes = 0;
    for (std::sregex_iterator h(content.begin(), content.end(), home); h != end; ++h, ++homes)
      threads += static_cast<unsigned>(std::stoul((*h)[1]));
    EXPECT_GE(threads, 1u) << content;
    EXPECT_LE(threads, 32u) << content;
    several += homes > 1 ? 1 : 0;
  }
  EXPECT_GT(several, 0u) << result.out;
}

TEST_F(run, ctrl_c_exits_with_130_and_leaves_complete_statistics) {
  const std::string folder = kernel("endless", endless, 32);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    std::filesystem::remove_all(path("out"));
    const outcome result = gt200_run_interrupted(
        {"run", folder, "--config", "gt200_small", "--out", path("out")},
        [&] { return std::filesystem::exists(path("out")); }, signal);
    EXPECT_EQ(result.code, 130) << result.out << result.err;
    const json all = stats();
    EXPECT_EQ(all["result"]["end"], "stopped");
    EXPECT_EQ(all["launches"].size(), 1u);
  }
}

// A pipe that nobody reads yet makes the program wait behind the waves, which it has written.
TEST_F(run, ctrl_c_while_files_are_written_exits_with_130_and_leaves_whole_files) {
  const std::string folder = kernel("short", "    exit nop\n", 32);
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  std::thread reader;
  const outcome result = gt200_run_interrupted(
      {"run", folder, "--config", "gt200_small", "--out", path("out"), "--waves", path("w.vcd"), "--timeline",
       path("pipe")},
      [&] {
        const bool waits = std::filesystem::exists(path("w.vcd"));
        if (waits && !reader.joinable())
          reader = std::thread([this] {
            std::this_thread::sleep_for(std::chrono::milliseconds(500));  // the signal comes first
            content_of(path("pipe"));
          });
        return waits;
      });
  reader.join();
  EXPECT_EQ(result.code, 130) << result.out;
  EXPECT_EQ(result.err, "gt200: interrupted after the run, while its files were written; they are whole\n");
  EXPECT_EQ(stats()["result"]["end"], "done");
}

}  // namespace
}  // namespace gt200::cli
