// A trace shows the same however the chip is clocked: by due times, by reference clocking, in the audit, in
// windows.
#include <cstddef>
#include <regex>
#include <string>
#include <utility>

#include "testbenches/support/vcd_file.h"
#include "testbenches/system/cli/traced_run.h"

namespace gt200::cli {
namespace {

using trace_clocking = traced_run;

TEST_F(trace_clocking, is_the_same_however_the_run_is_simulated) {
  const auto traced = [this](const arguments& how, const std::string& kernel) {
    arguments args = {"--trace", "--waves", path("w.vcd")};
    args.insert(args.end(), how.begin(), how.end());
    EXPECT_EQ(run(args, "out", kernel).code, 0);
    return std::pair(content_of(path("w.vcd")), content_of(path("out/trace.log")));
  };
  for (const char* kernel : {"reduce0", "bfs"}) {
    const auto due = traced({}, kernel);
    ASSERT_GT(due.first.size(), 100'000u);
    for (const arguments& how : {arguments{}, {"--shuffle", "7"}, {"--clocking", "reference"}, {"--audit"}}) {
      const auto other = traced(how, kernel);
      const std::string name = std::string(kernel) + " " + (how.empty() ? "again" : how.back());
      EXPECT_TRUE(due.first == other.first) << "the waves differ: " << name;
      EXPECT_TRUE(due.second == other.second) << "the log differs: " << name;
    }
  }
}

// A look-up that finds no entry is made again, and in every cycle by reference clocking and the audit.
TEST_F(trace_clocking, leaves_out_the_look_ups_that_find_no_room) {
  const auto waves_of = [this](const arguments& how) {
    arguments args = {
        "run",          source_path("kernels/matrix_mul"), "--param", "N=64", "--waves", path("w.vcd"),
        "--wave-scope", "gt200.tpc_0.sm_0.scoreboard.*"};
    args.insert(args.end(), how.begin(), how.end());
    EXPECT_EQ(gt200_run(args).code, 0);
    return content_of(path("w.vcd"));
  };
  const std::string due = waves_of({});
  EXPECT_TRUE(waves_of({"--clocking", "reference"}) == due);
  EXPECT_TRUE(waves_of({"--audit"}) == due);
}

TEST_F(trace_clocking, of_a_chip_that_stands_still_shows_a_window_in_which_nothing_happens) {
  const std::string hangs =
      kernel("hangs",
             "    cvt u32 $r1 u16 $r0l\n    mov b32 $r3 0x20\n    set $c0 # l u32 $r1 $r3\n"
             "    joinat over\n    (lg $c0) bra over\n    bar inc wait 0x0 0xfff\n    bra done\n"
             "over:\n    join nop\n    bar inc wait 0x1 0xfff\ndone:\n    exit nop\n",
             64);
  const outcome o = gt200_run(
      {"run", hangs, "--waves", path("w.vcd"), "--wave-scope", "*.issue.*", "--wave-window", "8000:9000"});
  EXPECT_EQ(o.code, 5) << o.out << o.err;
  ASSERT_TRUE(exists("w.vcd")) << o.out << o.err;
  EXPECT_FALSE(support::read_vcd(path("w.vcd")).signals.empty());
}

// True for a signal of a transaction socket: the number of its transactions, or a field of the last one.
bool is_of_a_transaction(const support::vcd_file& file, std::string name) {
  for (std::size_t end = name.rfind('.'); end != std::string::npos; end = name.rfind('.')) {
    name.resize(end);
    if (file.signals.count(name + ".transactions") != 0) return true;
  }
  return false;
}

// The window equals the same cycles of the whole run.
TEST_F(trace_clocking, a_window_shows_what_the_whole_run_shows) {
  ASSERT_EQ(run({"--waves", path("all.vcd"), "--wave-scope", "gt200.*"}).code, 0);
  ASSERT_EQ(run({"--waves", path("part.vcd"), "--wave-scope", "gt200.*", "--wave-window", "4000:4200"}).code, 0);
  const support::vcd_file all = support::read_vcd(path("all.vcd"));
  const support::vcd_file part = support::read_vcd(path("part.vcd"));
  ASSERT_EQ(all.signals.size(), part.signals.size());
  std::size_t compared = 0;
  for (const auto& [name, signal] : part.signals) {
    // The last request of a port and the last transaction of a socket are known only from the window on.
    if (std::regex_search(name, std::regex("(request|source_|fill|rop_memory|texture)"))) continue;
    if (is_of_a_transaction(part, name)) continue;
    for (std::uint64_t cycle = 4000; cycle < 4199; cycle += 7, ++compared)
      ASSERT_EQ(signal.at(cycle * core_period), all.signals.at(name).at(cycle * core_period))
          << name << " " << cycle;
  }
  EXPECT_GT(compared, 10'000u);
}

}  // namespace
}  // namespace gt200::cli
