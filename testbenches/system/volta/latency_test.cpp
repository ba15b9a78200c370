// How long a load takes from issue to the issue of an instruction that needs it, by the level that answers.
// Published: RRZE-HPC/gpu-benches, gpu-latency on a V100 PCIe; textures: mt4g on a V100 PCIe.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

#include "testbenches/system/volta/volta_board.h"
#include "testbenches/timing/volta_chains.h"

namespace gt200::support {
namespace {

using timing::chain_links;

double round_of(const std::function<std::string(unsigned)>& body, unsigned rounds, std::uint32_t words,
                const std::string& directives = "", bool has_textures = false) {
  const auto cycles = [&](unsigned n) {
    const volta_figures f =
        figures_of(run_volta_apart(volta_program(body(n), directives), {{1}, {1, 1, 1}, words, has_textures}));
    EXPECT_EQ(f.error, "");
    return f.cycles;
  };
  return static_cast<double>(cycles(rounds) - cycles(rounds / 2)) / (rounds - rounds / 2);
}

// Core cycles of a load in a chain: each loads zero from the address of the one before, plus `stride`.
double load_latency(const std::string& load, std::uint32_t stride, unsigned rounds) {
  const double latency =
      timing::load_latency_of(round_of([&](unsigned n) { return timing::load_chain(load, stride, n); }, rounds,
                                       (rounds + 1) * chain_links * stride / 4 + 64));
  testing::Test::RecordProperty("core_cycles", fmt::format("{:.1f}", latency));
  return latency;
}

TEST(volta_latency, l1_hit_28) { EXPECT_NEAR(load_latency("LDG.E.SYS", 0, 20), 28, 2.8); }
TEST(volta_latency, l2_hit_212) { EXPECT_NEAR(load_latency("LDG.E.STRONG.GPU", 0, 20), 212, 21.2); }
TEST(volta_latency, dram_425) { EXPECT_NEAR(load_latency("LDG.E.SYS", 512, 40), 425, 42.5); }

TEST(volta_latency, shared_memory_19) {
  EXPECT_NEAR(round_of(timing::shared_chain, 40, 32, ".shared cell 64\n") / chain_links, 19, 2.5);
}

TEST(volta_latency, texture_hit_65) {
  EXPECT_NEAR(round_of(timing::texture_chain, 20, 32, ".literal texture u32 0\n", true) / chain_links, 65, 6.5);
}

}  // namespace
}  // namespace gt200::support
