// What the issue logic of Volta costs and gains: units, stalls, yield, banks, reuse, processing blocks.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

#include "testbenches/system/volta/volta_board.h"

namespace gt200::support {
namespace {

constexpr unsigned unrolled = 48;

// Cycles of one pass through 48 instructions `line(n)`, in each of `threads` threads: the difference of 30 and 10
// passes.
volta_figures passes(unsigned times, unsigned threads, const std::function<std::string(unsigned)>& line) {
  std::string body;
  for (unsigned n = 8; n < 40; ++n) body += fmt::format("  [B------:R-:W-:-:S04] MOV R{}, 0x3f800000\n", n);
  body += fmt::format("  [B------:R-:W-:Y:S15] MOV R7, {:#x}\nagain:\n", times);
  for (unsigned n = 0; n < unrolled; ++n) body += line(n);
  body +=
      "  [B------:R-:W-:-:S06] IADD3 R7, R7, -0x1, RZ\n"
      "  [B012345:R-:W-:Y:S13] ISETP.NE.AND P0, PT, R7, RZ, PT\n"
      "  [B------:R-:W-:-:S05] @P0 BRA again\n";
  return figures_of(run_volta_apart(volta_program(body), {{1}, {threads, 1, 1}, threads}));
}

double cycles_per_instruction(unsigned threads, const std::function<std::string(unsigned)>& line,
                              unsigned baseline_threads = 0) {
  const volta_figures longer = passes(30, threads, line);
  const volta_figures shorter = passes(10, threads, line);
  EXPECT_EQ(longer.error, "");
  EXPECT_EQ(shorter.error, "");
  (void)baseline_threads;
  return static_cast<double>(longer.cycles - shorter.cycles) / (20 * unrolled);
}

std::function<std::string(unsigned)> always(const std::string& text) {
  return [text](unsigned) { return "  " + text + "\n"; };
}

// Independent FFMAs: each writes another register.
std::string ffma(unsigned n, const char* codes = "[B------:R-:W-:-:S01]", const char* sources = "R8, R9, R10") {
  return fmt::format("  {} FFMA R{}, {}\n", codes, 20 + n % 16, sources);
}

// The loop's own instructions take about this much of each of its 48.
constexpr double loop = 0.85;

TEST(volta_rate, a_chain_takes_the_latency_of_its_stalls) {
  EXPECT_NEAR(cycles_per_instruction(32, always("[B------:R-:W-:-:S04] FFMA R8, R8, R9, R10")), 4, loop);
  EXPECT_NEAR(cycles_per_instruction(32, always("[B------:R-:W-:-:S05] IMAD R8, R8, R9, R10")), 5, loop);
  EXPECT_NEAR(cycles_per_instruction(32, always("[B------:R-:W-:-:S08] DFMA R8, R8, R10, R12")), 8, loop);
  EXPECT_NEAR(cycles_per_instruction(32, always("[B------:R-:W-:-:S06] HFMA2 R8, R8, R9, R10")), 6, loop);
}

TEST(volta_rate, a_block_of_16_lanes_takes_a_warp_in_two_cycles) {
  EXPECT_NEAR(cycles_per_instruction(32, [](unsigned n) { return ffma(n); }), 2, loop);
  EXPECT_NEAR(cycles_per_instruction(32,
                                     [](unsigned n) {
                                       return fmt::format("  [B------:R-:W-:-:S01] DFMA R{}, R8, R10, R12\n",
                                                          20 + n % 8 * 2);
                                     }),
              4, loop);
}

TEST(volta_rate, half_pairs_share_the_lanes_of_single_precision) {
  const auto half = [](unsigned n) {
    return fmt::format("  [B------:R-:W-:-:S01] HFMA2 R{}, R8, R9, R10\n", 20 + n % 16);
  };
  EXPECT_NEAR(cycles_per_instruction(32, half), 2, loop);
  EXPECT_NEAR(cycles_per_instruction(32, [&](unsigned n) { return n % 2 == 0 ? ffma(n) : half(n); }), 2, loop);
}

TEST(volta_rate, integer_and_single_precision_go_side_by_side) {
  const auto mixed = [](unsigned n) {
    return n % 2 == 0 ? ffma(n)
                      : fmt::format("  [B------:R-:W-:-:S01] LOP3.LUT R{}, R8, R9, RZ, 0xc0, !PT\n", 20 + n % 16);
  };
  // Two warps of one block, because a buffer of three instructions does not feed one warp at full rate.
  EXPECT_NEAR(cycles_per_instruction(5 * 32, mixed) / 2, 1, loop);
}

TEST(volta_rate, processing_blocks_are_independent) {
  const auto line = [](unsigned n) { return ffma(n); };
  const double one = cycles_per_instruction(32, line);
  const double four = cycles_per_instruction(128, line);   // one warp in each block
  const double eight = cycles_per_instruction(256, line);  // two in each
  EXPECT_NEAR(four, one, 0.2);
  EXPECT_NEAR(eight, 2 * 2.0, loop);
}

TEST(volta_rate, a_yield_costs_a_cycle_and_gives_way) {
  const auto with = [](const char* codes) {
    return [codes](unsigned n) {
      return fmt::format("  {} {} R{}, R8, R9, {}\n", codes, n % 2 == 0 ? "FFMA" : "LOP3.LUT", 20 + n % 16,
                         n % 2 == 0 ? "R10" : "RZ, 0xc0, !PT");
    };
  };
  const double stays = cycles_per_instruction(32, with("[B------:R-:W-:-:S01]"));
  const double yields = cycles_per_instruction(32, with("[B------:R-:W-:Y:S01]"));
  EXPECT_NEAR(yields, 2, loop);
  EXPECT_LT(stays, yields - 0.4);
}

TEST(volta_rate, three_sources_in_one_bank_take_a_cycle_more) {
  const double apart =
      cycles_per_instruction(32, [](unsigned n) { return ffma(n, "[B------:R-:W-:-:S01]", "R8, R9, R10"); });
  const double together =
      cycles_per_instruction(32, [](unsigned n) { return ffma(n, "[B------:R-:W-:-:S01]", "R8, R10, R12"); });
  EXPECT_NEAR(together - apart, 1, 0.1);
}

TEST(volta_rate, reuse_avoids_the_conflict_and_a_yield_loses_it) {
  const auto line = [](const char* codes) {
    return [codes](unsigned n) { return ffma(n, codes, "R8.reuse, R10, R12"); };
  };
  const double apart = cycles_per_instruction(32, [](unsigned n) { return ffma(n); });
  EXPECT_NEAR(cycles_per_instruction(32, line("[B------:R-:W-:-:S02]")), apart, 0.1);
  EXPECT_NEAR(cycles_per_instruction(32, line("[B------:R-:W-:Y:S02]")) - apart, 1, 0.1);
}

}  // namespace
}  // namespace gt200::support
