// Half pairs on the chip, checked against the emulator, in every way of simulating. Latencies and rate:
// hazard_test.cpp, rate_test.cpp.
#include <gtest/gtest.h>

#include <string>

#include "testbenches/system/volta/volta_board.h"

namespace gt200::support {
namespace {

const volta_grid grid = {{2}, {96, 1, 1}, 192};

// Halves of the input, through every operation, with constants and numbers among the sources.
const std::string every_operation = volta_program(
    "  [B------:R-:W-:-:S08] IMAD.WIDE R10, R0, R1, c[0x0][in]\n"
    "  [B------:R-:W0:-:S02] LDG.E.SYS R8, [R10]\n"
    "  [B------:R-:W1:-:S02] LDG.E.SYS R9, [R10+0x400]\n"
    "  [B01----:R-:W-:-:S06] HADD2 R5, R8, -|R9|.H1_H1\n"
    "  [B------:R-:W-:-:S06] HMUL2 R6, R5, c[0x2][0x0]\n"
    "  [B------:R-:W-:-:S06] HFMA2.FTZ R6, R6.H0_H0, 0.5, -2, R8\n"
    "  [B------:R-:W-:-:S06] HFMA2 R7, R6, R9.H1_H1, c[0x2][0x4].H0_H0\n"
    "  [B------:R-:W-:Y:S14] HSETP2.GTU.AND P0, P1, R7, R5, PT\n"
    "  [B------:R-:W-:-:S06] @P0 HADD2.SAT R7, R7, 1, 0.25\n"
    "  [B------:R-:W-:-:S06] @!P1 HMUL2 R6, R7, R7\n"
    "  [B------:R-:W-:-:S08] HSET2.BF.LT.AND R5, R6, R7, P1\n"
    "  [B------:R-:W-:-:S08] HADD2.F32 R4, R5.H1_H1, R7.H0_H0\n"
    "  [B------:R-:W-:-:S08] LOP3.LUT R4, R4, R6, RZ, 0x3c, !PT\n" +
        std::string(store_r4),
    ".literal pairs u32 0x3e00b800 0x12345678\n");

TEST(volta_half_pairs, are_right_in_every_way) { expect_alike_in_every_way(every_operation, grid); }

}  // namespace
}  // namespace gt200::support
