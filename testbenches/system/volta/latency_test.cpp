// How long a load takes from issue to the issue of an instruction that needs it, by the level that answers.
// Published: RRZE-HPC/gpu-benches, gpu-latency on a V100 PCIe.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "testbenches/system/volta/volta_board.h"

namespace gt200::support {
namespace {

constexpr unsigned unrolled = 16;
constexpr unsigned to_the_next_address = 8;  // from the addition that makes it

// Core cycles of a load in a chain: each loads zero from the address of the one before, plus `stride`.
double load_latency(const std::string& load, std::uint32_t stride, unsigned times) {
  const auto cycles = [&](unsigned n) {
    std::string body = fmt::format(
        "  [B------:R-:W-:-:S08] MOV R10, R2\n  [B------:R-:W-:-:S08] MOV R11, R3\n"
        "  [B------:R-:W-:-:S08] MOV R12, {:#x}\n  [B------:R-:W-:Y:S15] MOV R7, {:#x}\nagain:\n",
        stride, n);
    for (unsigned k = 0; k < unrolled; ++k)
      body += "  [B------:R-:W0:-:S02] " + load + " R8, [R10]\n  [B0-----:R-:W-:-:S08] IADD3 R10, R10, R8, R12\n";
    body +=
        "  [B------:R-:W-:-:S06] IADD3 R7, R7, -0x1, RZ\n"
        "  [B------:R-:W-:Y:S13] ISETP.NE.AND P0, PT, R7, RZ, PT\n"
        "  [B------:R-:W-:-:S05] @P0 BRA again\n";
    const volta_figures f = figures_of(
        run_volta_apart(volta_program(body), {{1}, {1, 1, 1}, (times + 1) * unrolled * stride / 4 + 64}));
    EXPECT_EQ(f.error, "");
    return f.cycles;
  };
  // Without the loop's own instructions: those of an empty round are known from a chain of additions.
  const double round = static_cast<double>(cycles(times) - cycles(times / 2)) / (times - times / 2);
  constexpr double loop = 40;
  const double latency = (round - loop) / unrolled - to_the_next_address;
  testing::Test::RecordProperty("core_cycles", fmt::format("{:.1f}", latency));
  return latency;
}

TEST(volta_latency, l1_hit_28) { EXPECT_NEAR(load_latency("LDG.E.SYS", 0, 20), 28, 2.8); }
TEST(volta_latency, l2_hit_212) { EXPECT_NEAR(load_latency("LDG.E.STRONG.GPU", 0, 20), 212, 21.2); }
TEST(volta_latency, dram_425) { EXPECT_NEAR(load_latency("LDG.E.SYS", 512, 40), 425, 42.5); }

TEST(volta_latency, shared_memory_19) {
  const auto cycles = [](unsigned times) {
    std::string body = fmt::format(
        "  [B------:R0:W-:-:S02] STS [RZ], RZ\n  [B0-----:R-:W-:-:S08] MOV R8, RZ\n"
        "  [B------:R-:W-:Y:S15] MOV R7, {:#x}\nagain:\n",
        times);
    for (unsigned k = 0; k < unrolled; ++k) body += "  [B0-----:R-:W0:-:S02] LDS R8, [R8]\n";
    body +=
        "  [B------:R-:W-:-:S06] IADD3 R7, R7, -0x1, RZ\n"
        "  [B------:R-:W-:Y:S13] ISETP.NE.AND P0, PT, R7, RZ, PT\n"
        "  [B------:R-:W-:-:S05] @P0 BRA again\n";
    const volta_figures f =
        figures_of(run_volta_apart(volta_program(body, ".shared cell 64\n"), {{1}, {1, 1, 1}, 32}));
    EXPECT_EQ(f.error, "");
    return f.cycles;
  };
  EXPECT_NEAR(static_cast<double>(cycles(40) - cycles(20)) / (20 * unrolled), 19, 2.5);
}

}  // namespace
}  // namespace gt200::support
