// Paths of a warp and barriers of its block: who runs next does not depend on the order of the modules.
#include <gtest/gtest.h>

#include <string>

#include "testbenches/system/volta/volta_board.h"

namespace gt200::support {
namespace {

// In each of 32 rounds the odd lanes wait at barrier 2. The even lanes arrive there without waiting and then turn
// in a loop, so that releases come while another path of the warp branches. The odd lanes of the last warp come
// some hundred cycles late, at another time in each round: as many of them read from one bank as rounds are left.
// Barrier 1 ends the round. Released lanes read how far the even lanes of their warp have come, so that their sum
// in R4 shows when they ran. For even lanes R4 counts the turns.
const std::string rounds = volta_program(std::string(R"(
  S2R R5, SR_LANEID
  S2R R6, SR_TID.X
  LOP3.LUT R7, R5, 0x1, RZ, 0xc0, !PT
  SHF.R.U32.HI R6, RZ, 0x5, R6
  ISETP.NE.AND P0, PT, R7, RZ, PT
  ISETP.EQ.AND P2, PT, R6, 0x9, PT
  MOV R4, RZ
  MOV R8, 0x20
  SHF.L.U32 R10, R6, 0x2, RZ
  BSSY B0, together
  @P0 BRA odd
even:
  IADD3 R9, R6, R8, RZ
  BAR.ARV 0x2
turn:
  [B------:R-:W-:-:S05] IADD3 R4, R4, 0x1, RZ
  [B------:R0:W-:-:S02] STS [R10+turns], R9
  [B0-----:R-:W-:-:S05] IADD3 R9, R9, -0x1, RZ
  [B------:R-:W-:Y:S15] ISETP.NE.AND P1, PT, R9, RZ, PT
  [B------:R-:W-:-:S05] @P1 BRA turn
  BAR.SYNC 0x1
  IADD3 R8, R8, -0x1, RZ
  ISETP.NE.AND P1, PT, R8, RZ, PT
  @P1 BRA even
  BRA together
odd:
  SHF.L.U32 R12, R5, 0x2, RZ
  ISETP.LT.AND P3, PT, R5, R8, PT
  @P3 SHF.L.U32 R12, R5, 0x7, RZ
  @!P2 BRA arrive
  LDS R13, [R12+reads]
  LDS R13, [R12+reads]
  LDS R13, [R12+reads]
  LDS R13, [R12+reads]
  LDS R13, [R12+reads]
  LDS R13, [R12+reads]
  IADD3 R13, R13, 0x1, RZ
arrive:
  BAR.SYNC 0x2
  LDS R11, [R10+turns]
  IADD3 R4, R4, R11, RZ
  BAR.SYNC 0x1
  IADD3 R8, R8, -0x1, RZ
  ISETP.NE.AND P1, PT, R8, RZ, PT
  @P1 BRA odd
together:
  BSYNC B0
)") + store_r4,
                                         ".shared turns 64\n.shared reads 4096\n");

TEST(volta_paths, are_released_in_one_order_however_they_are_simulated) {
  const volta_grid grid = {{2}, {320, 1, 1}, 640};
  const volta_figures o = figures_of(expect_alike_in_every_order(rounds, grid));
  ASSERT_EQ(o.out.size(), 640u);
  for (std::uint32_t t = 0; t < o.out.size(); t += 2) EXPECT_EQ(o.out[t], 32 * (t % 320 / 32) + 32 * 33 / 2) << t;
}

}  // namespace
}  // namespace gt200::support
