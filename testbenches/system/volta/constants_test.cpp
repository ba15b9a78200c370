// Lines of constants that instructions wait for in front of issue.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "testbenches/system/volta/volta_board.h"

namespace gt200::support {
namespace {

// The four warps of each processing block read a constant of a line of their own. What they execute there lies in
// one line of the instruction cache, so that they come to it together.
std::string constants_of(unsigned first, unsigned second, unsigned third, unsigned fourth) {
  const unsigned offsets[] = {first, second, third, fourth};
  std::string body =
      "  [B------:R-:W2:-:S02] S2R R5, SR_TID.X\n"
      "  [B--2---:R-:W-:-:S08] SHF.R.U32.HI R7, RZ, 0x7, R5\n"
      "  [B------:R-:W-:Y:S15] ISETP.EQ.AND P0, PT, R7, 0x1, PT\n"
      "  [B------:R-:W-:Y:S15] ISETP.EQ.AND P1, PT, R7, 0x2, PT\n"
      "  [B------:R-:W-:Y:S15] ISETP.EQ.AND P2, PT, R7, 0x3, PT\n"
      "  [B------:R-:W-:-:S05] @P0 BRA warp_1\n"
      "  [B------:R-:W-:-:S05] @P1 BRA warp_2\n"
      "  [B------:R-:W-:-:S05] @P2 BRA warp_3\n"
      "  [B------:R-:W-:-:S01] NOP\n"
      "  [B------:R-:W-:-:S01] NOP\n";
  for (unsigned w = 0; w < 4; ++w)
    body += fmt::format(
        "warp_{}:\n  [B------:R-:W-:-:S08] IADD3 R4, R0, c[0x0][{:#x}], RZ\n"
        "  [B------:R-:W-:-:S05] BRA done\n",
        w, offsets[w]);
  return volta_program(body + "done:\n" + store_r4);
}

const volta_grid grid = {{1}, {512, 1, 1}, 512};
const std::string distinct = constants_of(0x40, 0x80, 0xc0, 0x100);

TEST(volta_constants, misses_of_several_warps_are_alike_in_every_way) {
  expect_alike_in_every_way(distinct, grid);
  // Lines wait for an MSHR.
  expect_alike_in_every_way(distinct, grid, {"tpc.sm.constant_cache.mshrs=1"});
}

TEST(volta_constants, lines_that_several_warps_miss_are_fetched_together) {
  // The level behind the cache is slow, so that misses outweigh everything else.
  const auto cycles = [](const std::string& program, const char* mshrs) {
    const volta_figures o = figures_of(
        run_volta_apart(program, grid, {},
                        {"tpc.l2.hit_latency_cycles=1000", std::string("tpc.sm.constant_cache.mshrs=") + mshrs}));
    EXPECT_EQ(o.error, "");
    return o.cycles;
  };
  const std::uint64_t one_line = cycles(constants_of(0x40, 0x44, 0x48, 0x4c), "4");
  const std::uint64_t together = cycles(distinct, "4");
  const std::uint64_t in_turn = cycles(distinct, "1");
  // Three further misses, one behind the other.
  EXPECT_GT(in_turn, one_line + 1500);
  EXPECT_LT(together, one_line + 700);
}

}  // namespace
}  // namespace gt200::support
