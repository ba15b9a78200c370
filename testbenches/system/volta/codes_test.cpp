// Control codes across paths and behind DEPBAR: the reuse cache keeps what one path has read, DEPBAR holds a warp
// from its fourth cycle on, and lint and the checked run say so.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "testbenches/system/volta/volta_board.h"

namespace gt200::support {
namespace {

const volta_grid one_warp = {{1}, {32, 1, 1}, 32};

volta_figures run(const std::string& body, const std::vector<std::string>& overrides = {}) {
  return figures_of(run_volta_apart(volta_program(body + store_r4), one_warp, {}, overrides));
}

// Both halves of a warp add up R8 as many times as R9 says, on two sides of a branch. One keeps R8 for reuse, the
// other changes it.
std::string two_loops(const char* reuse) {
  return std::string(
             "  MOV R4, RZ\n  MOV R8, 0x1\n  MOV R9, 0x20\n  S2R R5, SR_LANEID\n  ISETP.LT.AND P0, PT, R5, 0x10, "
             "PT\n"
             "  BSSY B0, together\n  @P0 BRA other\n"
             "keeps:\n"
             "  [B------:R-:W-:-:S05] IADD3 R9, R9, -0x1, RZ\n"
             "  [B------:R-:W-:Y:S13] ISETP.NE.AND P1, PT, R9, RZ, PT\n"
             "  [B------:R-:W-:-:S05] IADD3 R4, R8") +
         reuse +
         ", R4, RZ\n"
         "  [B------:R-:W-:-:S05] @P1 BRA keeps\n"
         "  BRA together\n"
         "other:\n"
         "  [B------:R-:W-:-:S05] MOV R8, R9\n"
         "  [B------:R-:W-:-:S05] IADD3 R4, R8, R4, RZ\n"
         "  [B------:R-:W-:-:S05] IADD3 R9, R9, -0x1, RZ\n"
         "  [B------:R-:W-:Y:S13] ISETP.NE.AND P1, PT, R9, RZ, PT\n"
         "  [B------:R-:W-:-:S05] @P1 BRA other\n"
         "together:\n  BSYNC B0\n  NOP\n";
}

TEST(volta_codes, what_a_path_keeps_for_reuse_is_no_other_paths) {
  for (const char* reuse : {"", ".reuse"}) {
    const volta_figures f = run(two_loops(reuse));
    EXPECT_EQ(f.error, "") << reuse;
    EXPECT_EQ(f.hazards, 0u) << reuse;
    ASSERT_EQ(f.out.size(), 32u);
    for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(f.out[lane], lane < 16 ? 528u : 32u) << reuse << lane;
  }
}

// One path sums 1 in every instruction of a long side and keeps it; the other one changes its register meanwhile.
TEST(volta_codes, a_path_that_gives_way_in_the_middle_finds_its_own_values) {
  std::string body =
      "  MOV R4, RZ\n  MOV R8, 0x1\n  S2R R5, SR_LANEID\n  ISETP.LT.AND P0, PT, R5, 0x10, PT\n"
      "  BSSY B0, together\n  @P0 BRA other\n";
  for (unsigned n = 0; n < 100; ++n) body += "  [B------:R-:W-:-:S05] IADD3 R4, R8.reuse, R4, RZ\n";
  body += "  BRA together\nother:\n";
  for (unsigned n = 0; n < 50; ++n)
    body += "  [B------:R-:W-:-:S05] IADD3 R8, R8, 0x1, RZ\n  [B------:R-:W-:-:S05] IADD3 R4, R8, R4, RZ\n";
  body += "together:\n  BSYNC B0\n  NOP\n";
  for (const char* turn : {"20", "64", "4096"}) {
    const volta_figures f = run(body, {std::string("tpc.sm.processing_block.path_turn_cycles=") + turn});
    EXPECT_EQ(f.error, "") << turn;
    EXPECT_EQ(f.hazards, 0u) << turn;
    ASSERT_EQ(f.out.size(), 32u);
    EXPECT_EQ(f.out[0], 51u * 52 / 2 - 1) << turn;
    EXPECT_EQ(f.out[31], 100u) << turn;
  }
}

// The yield of a branch empties the reuse cache as that of any instruction.
TEST(volta_codes, a_branch_that_yields_loses_what_was_kept) {
  const auto program = [](const char* yield) {
    return std::string(
               "  MOV R4, RZ\n  MOV R8, 0x1\n  MOV R9, RZ\n"
               "  [B------:R-:W-:-:S05] IADD3 R9, R8.reuse, R9, RZ\n"
               "  [B------:R-:W-:") +
           yield +
           ":S05] BRA next\nnext:\n"
           "  [B------:R-:W-:-:S05] MOV R8, 0x5\n"
           "  [B------:R-:W-:-:S05] IADD3 R4, R8, R4, RZ\n";
  };
  const volta_figures lost = run(program("Y"));
  EXPECT_EQ(lost.error, "");
  EXPECT_EQ(lost.hazards, 0u);
  EXPECT_EQ(lost.out.at(0), 5u);
  EXPECT_NE(run(program("-")).error.find("program hazard, R8, kept for reuse"), std::string::npos);
}

// A load, one or two DEPBARs with a stall, and a reader of what the load returns.
std::string behind_depbar(const std::string& depbars) {
  return "  MOV R6, c[0x0][in]\n  MOV R7, c[0x0][in+4]\n  MOV R4, RZ\n  MOV R8, RZ\n"
         "  [B------:R-:W1:-:S02] S2R R9, SR_LANEID\n"
         "  [B------:R-:W0:-:S02] LDG.E.SYS R8, [R6]\n" +
         depbars + "  [B------:R-:W-:-:S05] IADD3 R4, R8, 0x1, RZ\n  [B01----:R-:W-:-:S05] NOP\n";
}

TEST(volta_codes, depbar_holds_from_its_fourth_cycle_on) {
  const auto stalled = [](const char* stall) {
    return behind_depbar(std::string("  [B------:R-:W-:-:S0") + stall + "] DEPBAR.LE SB0, 0x0\n");
  };
  const volta_figures in_time = run(stalled("4"));
  EXPECT_EQ(in_time.error, "");
  EXPECT_EQ(in_time.hazards, 0u);
  EXPECT_EQ(in_time.out.at(0), volta_input(0) + 1);
  for (const char* stall : {"1", "2", "3"}) {
    const volta_figures early = run(stalled(stall));
    EXPECT_NE(early.error.find("R8, written at"), std::string::npos) << stall << ": " << early.error;
    EXPECT_NE(early.error.find("without waiting for it"), std::string::npos) << stall << ": " << early.error;
  }
}

TEST(volta_codes, a_second_depbar_leaves_the_first_one_its_wait) {
  const volta_figures f = run(
      behind_depbar("  [B------:R-:W-:-:S02] DEPBAR.LE SB0, 0x0\n  [B------:R-:W-:-:S05] DEPBAR.LE SB1, 0x0\n"));
  EXPECT_EQ(f.error, "");
  EXPECT_EQ(f.hazards, 0u);
  EXPECT_EQ(f.out.at(0), volta_input(0) + 1);
}

}  // namespace
}  // namespace gt200::support
