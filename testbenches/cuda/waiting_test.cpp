// Threads that wait for each other, on all chips and engines: locks, tickets, flags, queues, barriers of blocks.
#include <fmt/format.h>

#include "testbenches/system/cli/program.h"

namespace gt200::cuda {
namespace {

using cli::gt200_run;
using cli::outcome;
using cli::source_path;

// Without progress no launch would end.
constexpr const char* most_cycles = "1000000";
constexpr const char* most_instructions = "20000000";

struct place {
  const char* config;
  const char* engine;
};
void PrintTo(const place& p, std::ostream* out) { *out << p.config << "_" << p.engine; }

class waiting_program : public cli::cli_test {
 protected:
  std::string compiled(const cli::arguments& options) const {
    cli::arguments words = {"nvcc", source_path("testbenches/cuda/programs/waiting.cu"), "-o", path("waiting")};
    words.insert(words.end(), options.begin(), options.end());
    const outcome made = gt200_run(words);
    EXPECT_EQ(made.code, 0) << made.err;
    return path("waiting");
  }
};

class waiting : public waiting_program, public testing::WithParamInterface<place> {};

TEST_P(waiting, ends_with_the_right_count) {
  const std::string engine = GetParam().engine;
  cli::arguments words = {"exec",      "--config",           GetParam().config, "--max-cycles",
                          most_cycles, "--max-instructions", most_instructions, "--max-seconds",
                          "60"};
  std::string program;
  if (engine == "cpu") {
    program = compiled({"-arch=sm_20", "-cpu"});
  } else {
    words.insert(words.end(), {"--engine", engine});
    program = compiled({"-arch=sm_20"});
  }
  words.push_back(program);
  if (engine != "cpu") words.emplace_back("fair");
  // The processor runs one block after the other on each of its threads.
  if (engine != "cpu") words.emplace_back("blocks");
  // Threads with program counters of their own.
  if (engine == "cpu" || std::string(GetParam().config) == "v100_small") words.emplace_back("lanes");
  const outcome run = gt200_run(words);
  EXPECT_EQ(run.code, 0) << run.out << run.err;
}

INSTANTIATE_TEST_SUITE_P(cuda, waiting,
                         testing::Values(place{"gt200_small", "model"}, place{"gt200_small", "emulator"},
                                         place{"gtx480", "model"}, place{"gtx480", "emulator"},
                                         place{"v100_small", "model"}, place{"v100_small", "emulator"},
                                         place{"gt200_small", "cpu"}),
                         [](const testing::TestParamInfo<place>& info) {
                           return fmt::format("{}_{}", info.param.config, info.param.engine);
                         });

// The lock that is released behind its loop needs threads with program counters of their own: what has one for a
// warp comes to its limit, and says where its warps stand.
TEST_F(waiting_program, whose_lanes_wait_behind_a_loop_has_no_end_on_tesla_and_fermi) {
  const std::string program = compiled({"-arch=sm_20"});
  for (const char* config : {"gt200_small", "gtx480"}) {
    const outcome run = gt200_run(
        {"exec", "--config", config, "--engine", "emulator", "--max-instructions", "100000", program, "lanes"});
    EXPECT_NE(run.code, 0) << config;
    // The first kernel of the program that releases its lock behind the loop.
    EXPECT_NE(run.err.find("LIMIT: kernel 'naive_lock', launch 1: "), std::string::npos) << config << run.err;
    EXPECT_NE(run.err.find("100000 warp instructions; warps 0 at 0x"), std::string::npos) << config << run.err;
  }
}

}  // namespace
}  // namespace gt200::cuda
