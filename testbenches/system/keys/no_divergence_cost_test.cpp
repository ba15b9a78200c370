// idealisations.no_divergence_cost: divergent warps take fewer cycles and give the same results; convergent ones
// take the same cycles. The emulator checks every instruction of these runs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "testbenches/system/cli/program.h"
#include "testbenches/system/keys/probes.h"

namespace gt200::keys {
namespace {

using nlohmann::json;

constexpr unsigned threads = 512;
constexpr unsigned adds = 64;

// Threads whose number has a bit of `sides` add their number in one path, the others in another one.
std::string two_paths(unsigned sides) {
  std::string body = fmt::format(R"(    cvt u32 $r1 u16 $r0l
    shl b32 $r2 $r1 0x2
    add b32 $r2 b32 s[out] $r2
    mov b32 $r4 $r1
    mov b32 $r5 0x{:x}
    joinat together
    and b32 $c0 # $r1 $r5
    (lg $c0) bra other
)",
                                 sides);
  std::string path;
  for (unsigned i = 0; i < adds; ++i) path += "    add b32 $r4 $r4 $r1\n";
  body += path + "    bra together\nother:\n" + path;
  return body + "together:\n    join nop\n    st b32 g14[$r2] $r4\n    exit nop\n";
}

std::string expected() {
  std::string values;
  for (unsigned thread = 0; thread < threads; ++thread)
    values += fmt::format("{}{}", thread == 0 ? "" : ", ", (adds + 1) * thread);
  return "[[expect]]\nbuffer = \"out\"\nvalues = [" + values + "]\n";
}

class no_divergence_cost : public cli::cli_test {
 protected:
  // The only launch of a run.
  static json run(const std::string& target, bool free) {
    const cli::outcome outcome = cli::gt200_run(
        {"run", target, "--config", "gt200_small", "--set",
         std::string("idealisations.no_divergence_cost=") + (free ? "true" : "false"), "--check", "--json"});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    return outcome.code == 0 ? json::parse(outcome.out)["launches"][0] : json();
  }
};

TEST_F(no_divergence_cost, speeds_up_warps_with_two_paths) {
  const std::string folder = kernel("k", two_paths(1), threads, expected());
  const json plain = run(folder, false);
  const json free = run(folder, true);
  // Half of the lanes of each instruction execute: the SPs need half of the time, and issue is never behind them.
  EXPECT_LT(free["core_cycles"].get<double>(), 0.8 * plain["core_cycles"].get<double>());
  EXPECT_EQ(free["counters"]["gt200.tpc_0.sm_0.issue.issued"], plain["counters"]["gt200.tpc_0.sm_0.issue.issued"]);
}
TEST_F(no_divergence_cost, leaves_warps_that_take_one_path_as_a_whole) {
  const std::string folder = kernel("k", two_paths(32), threads, expected());
  EXPECT_EQ(run(folder, true), run(folder, false));
}
TEST_F(no_divergence_cost, moves_no_entries_of_deep_stacks) {
  const probe what = make_probe("nesting");
  file("nesting/probe.s", what.program);
  file("nesting/launch.toml", what.launch);
  const auto moved = [](const json& launch) {
    std::uint64_t entries = 0;
    for (const auto& [counter, value] : launch["counters"].items())
      if (counter.find(".stack_memory.") != std::string::npos) entries += value.get<std::uint64_t>();
    return entries;
  };
  const json plain = run(path("nesting"), false);
  const json free = run(path("nesting"), true);
  EXPECT_GT(moved(plain), 0u);
  EXPECT_EQ(moved(free), 0u);
  EXPECT_LT(free["core_cycles"].get<std::uint64_t>(), plain["core_cycles"].get<std::uint64_t>());
}

}  // namespace
}  // namespace gt200::keys
