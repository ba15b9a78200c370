// Paths of a warp and barriers of its block: who runs next does not depend on the order of the modules.
#include <gtest/gtest.h>

#include <string>

#include "testbenches/system/volta/volta_board.h"

namespace gt200::support {
namespace {

// Odd lanes go to a barrier again and again, and so do the even lanes, which count down between two barriers by a
// number that differs from warp to warp. So releases come while other paths of a warp branch. R4 counts the rounds
// of odd lanes, and the turns of even ones.
const std::string rounds = volta_program(std::string("  S2R R5, SR_LANEID\n"
                                                     "  S2R R6, SR_TID.X\n"
                                                     "  LOP3.LUT R7, R5, 0x1, RZ, 0xc0, !PT\n"
                                                     "  SHF.R.U32.HI R6, RZ, 0x5, R6\n"
                                                     "  ISETP.NE.AND P0, PT, R7, RZ, PT\n"
                                                     "  MOV R4, RZ\n"
                                                     "  MOV R8, 0x6\n"
                                                     "  BSSY B0, together\n"
                                                     "  @P0 BRA odd\n"
                                                     "even:\n"
                                                     "  IADD3 R9, R6, R8, RZ\n"
                                                     "turn:\n"
                                                     "  IADD3 R4, R4, 0x1, RZ\n"
                                                     "  IADD3 R9, R9, -0x1, RZ\n"
                                                     "  ISETP.NE.AND P1, PT, R9, RZ, PT\n"
                                                     "  @P1 BRA turn\n"
                                                     "  BAR.SYNC 0x2\n"
                                                     "  IADD3 R8, R8, -0x1, RZ\n"
                                                     "  ISETP.NE.AND P1, PT, R8, RZ, PT\n"
                                                     "  @P1 BRA even\n"
                                                     "  BRA together\n"
                                                     "odd:\n"
                                                     "  BAR.SYNC 0x2\n"
                                                     "  IADD3 R4, R4, 0x1, RZ\n"
                                                     "  IADD3 R8, R8, -0x1, RZ\n"
                                                     "  ISETP.NE.AND P1, PT, R8, RZ, PT\n"
                                                     "  @P1 BRA odd\n"
                                                     "together:\n"
                                                     "  BSYNC B0\n") +
                                         store_r4);

TEST(volta_paths, are_released_in_one_order_however_they_are_simulated) {
  const volta_grid grid = {{2}, {320, 1, 1}, 640};
  expect_alike_in_every_way(rounds, grid);
  const volta_figures o = figures_of(run_volta_apart(rounds, grid));
  ASSERT_EQ(o.error, "");
  for (std::uint32_t t = 0; t < o.out.size(); ++t)
    EXPECT_EQ(o.out[t], t % 2 != 0 ? 6 : 6 * (t % 320 / 32) + 21) << t;
}

}  // namespace
}  // namespace gt200::support
