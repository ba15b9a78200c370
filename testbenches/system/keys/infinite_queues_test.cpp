// idealisations.infinite_queues: every kernel gives right results, and no queue of the memory path is full in any
// cycle.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "testbenches/system/cli/program.h"

namespace gt200::keys {
namespace {

struct small_kernel {
  const char* name;
  std::vector<std::string> parameters;
};
void PrintTo(const small_kernel& k, std::ostream* out) { *out << k.name; }

struct figures {
  std::uint64_t cycles = 0;
  std::uint64_t back_pressure = 0;       // issue slots lost to a full memory port
  std::vector<std::string> full_queues;  // of the memory path
};

bool is_of_the_memory_path(const std::string& counter) {
  if (counter.find(".full_cycles") == std::string::npos) return false;
  for (const char* queue :
       {".memory_port.queue", ".sm_controller.queue_", ".load_store_queue.", ".texture.address.queue",
        ".crossbar.request_queue_", ".crossbar.reply_queue_", ".arbiter.", ".rop."})
    if (counter.find(queue) != std::string::npos) return true;
  return false;
}

// With four TPCs on two partitions, so that queues do fill. The emulator checks every instruction.
void run(const small_kernel& kernel, bool infinite, figures& result) {
  cli::arguments args = {"run",      cli::source_path(std::string("kernels/") + kernel.name),
                         "--config", "gt200_small",
                         "--set",    "chip.tpcs=4",
                         "--set",    std::string("idealisations.infinite_queues=") + (infinite ? "true" : "false"),
                         "--check",  "--json"};
  for (const std::string& parameter : kernel.parameters) args.insert(args.end(), {"--param", parameter});
  const cli::outcome outcome = cli::gt200_run(args);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto all = nlohmann::json::parse(outcome.out);
  for (const auto& launch : all["launches"]) {
    result.cycles += launch["core_cycles"].get<std::uint64_t>();
    for (const auto& [counter, value] : launch["counters"].items()) {
      if (is_of_the_memory_path(counter) && value != 0) result.full_queues.push_back(counter);
      if (counter.find(".issue.memory_back_pressure") != std::string::npos)
        result.back_pressure += value.get<std::uint64_t>();
    }
  }
}

class infinite_queues : public ::testing::TestWithParam<small_kernel> {};

TEST_P(infinite_queues, never_fill) {
  figures limited, unlimited;
  run(GetParam(), false, limited);
  run(GetParam(), true, unlimited);
  EXPECT_EQ(unlimited.full_queues, std::vector<std::string>());
  EXPECT_LE(unlimited.back_pressure, limited.back_pressure);
}

INSTANTIATE_TEST_SUITE_P(
    every_kernel, infinite_queues,
    ::testing::Values(
        small_kernel{"vector_add", {"N=3000"}}, small_kernel{"matrix_mul", {"N=32"}},
        small_kernel{"reduce0", {"N=2048"}}, small_kernel{"bfs", {"N=128"}},
        small_kernel{"atomic_counter", {"N=500"}}, small_kernel{"histogram", {"N=500"}},
        small_kernel{"daxpy", {"N=500"}}, small_kernel{"copy", {"N=4096"}}, small_kernel{"transpose", {"N=64"}},
        small_kernel{"madloop", {"ITERS=1"}}, small_kernel{"nbody", {}}, small_kernel{"bitonic_sort", {"BLOCKS=2"}},
        small_kernel{"black_scholes", {"N=256"}}, small_kernel{"convolution", {"WIDTH=32", "HEIGHT=32"}},
        small_kernel{"dmatmul", {"N=16"}}, small_kernel{"fft512", {"BLOCKS=2"}},
        small_kernel{"mandelbrot", {"WIDTH=32", "HEIGHT=8", "MOST=16"}}, small_kernel{"reduction", {"N=16384"}},
        small_kernel{"scan", {"BLOCKS=2"}}, small_kernel{"sha1", {"N=128", "FIRST=1633838976"}},
        small_kernel{"spmv", {"ROWS=64"}}, small_kernel{"texture_filter", {"OUT_WIDTH=32", "OUT_HEIGHT=32"}}),
    [](const auto& of) { return std::string(of.param.name); });

// The requests that wait in front of the data caches of a Fermi.
TEST(infinite_queues_of_data_caches, never_fill) {
  const auto full_cycles = [](const std::string& infinite) {
    const cli::outcome outcome =
        cli::gt200_run({"run", cli::source_path("kernels/spmv"), "--config", "gtx480", "--param", "ROWS=1024",
                        "--set", "idealisations.infinite_queues=" + infinite, "--json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const auto all = nlohmann::json::parse(outcome.out);
    std::uint64_t sum = 0;
    for (const auto& launch : all["launches"])
      for (const auto& [counter, value] : launch["counters"].items())
        if (counter.find(".request_queue.full_cycles") != std::string::npos) sum += value.get<std::uint64_t>();
    return sum;
  };
  EXPECT_NE(full_cycles("false"), 0u);
  EXPECT_EQ(full_cycles("true"), 0u);
}

TEST(finite_queues, fill_and_take_cycles) {
  figures limited, unlimited;
  const small_kernel copy{"copy", {"N=16384"}};
  run(copy, false, limited);
  run(copy, true, unlimited);
  EXPECT_FALSE(limited.full_queues.empty());
  EXPECT_GT(limited.cycles, unlimited.cycles);
}

}  // namespace
}  // namespace gt200::keys
