// Paths of a warp go on by themselves: what hangs on chips with one path at a time ends here.
#include <gtest/gtest.h>

#include <string>

#include "testbenches/system/volta/volta_board.h"

namespace gt200::support {
namespace {

// A SystemC simulation of its own.
volta_figures run_of(const std::string& program, const volta_grid& grid) {
  return figures_of(run_volta_apart(program, grid));
}

TEST(volta_divergence, all_lanes_of_a_warp_pass_on_a_spin_lock) {
  // in[0] is the lock (free: the input's value, taken: 0), in[1] counts.
  const std::string program = volta_program(
      std::string("  MOV R10, c[0x0][in]\n  MOV R11, c[0x0][in+4]\n  MOV R12, c[0x0][in]\n  MOV R13, c[0x0][in+4]\n"
                  "  MOV R8, 0x0\n  LDG.E.SYS R14, [R10+0x8]\n  MOV R15, 0x1\n"
                  "  BSSY B0, done\n"
                  "again:\n"
                  "  MOV R16, RZ\n  MOV R17, 0x1\n"
                  "  ATOMG.E.CAS.STRONG.GPU PT, R8, [R10], R16, R17\n"
                  "  ISETP.NE.AND P0, PT, R8, RZ, PT\n"
                  "  @P0 BRA again\n"
                  "  LDG.E.STRONG.GPU R4, [R10+0x4]\n"
                  "  IADD3 R4, R4, 0x1, RZ\n"
                  "  STG.E.STRONG.GPU [R10+0x4], R4\n"
                  "  MEMBAR.SC.GPU\n"
                  "  ATOMG.E.EXCH.STRONG.GPU PT, R9, [R10], R16\n"
                  "done:\n"
                  "  BSYNC B0\n") +
          store_r4,
      "");
  // The buffer `in` begins with words that are not zero: a first thread frees the lock.
  const std::string prologue =
      "  ISETP.NE.AND P1, PT, R0, RZ, PT\n  MOV R10, c[0x0][in]\n  MOV R11, c[0x0][in+4]\n"
      "  @!P1 STG.E.SYS [R10], RZ\n  @!P1 STG.E.SYS [R10+0x4], RZ\n  MEMBAR.SC.GPU\n";
  std::string text = program;
  text.insert(text.find("  MOV R10, c[0x0][in]\n"), prologue);
  const volta_figures o = run_of(text, {{1}, {32, 1, 1}, 32});
  ASSERT_EQ(o.error, "");
  std::uint64_t sum = 0;
  for (const std::uint32_t word : o.out) sum += word;
  EXPECT_EQ(sum, 32u * 33 / 2);  // each lane has counted once
}

TEST(volta_divergence, a_consumer_waits_for_a_producer_in_its_own_warp) {
  const std::string program = volta_program(std::string("  S2R R5, SR_LANEID\n"
                                                        "  MOV R6, 0x0\n"
                                                        "  STS [RZ], RZ\n"
                                                        "  ISETP.NE.AND P0, PT, R5, 0x7, PT\n"
                                                        "  BSSY B0, together\n"
                                                        "  @P0 BRA consume\n"
                                                        "  MOV R6, 0x55\n"
                                                        "  STS [RZ], R6\n"
                                                        "  BRA together\n"
                                                        "consume:\n"
                                                        "  LDS R6, [RZ]\n"
                                                        "  ISETP.EQ.AND P1, PT, R6, RZ, PT\n"
                                                        "  @P1 BRA consume\n"
                                                        "together:\n"
                                                        "  BSYNC B0\n"
                                                        "  MOV R4, R6\n") +
                                                store_r4,
                                            ".shared flag 16\n");
  const volta_figures o = run_of(program, {{2}, {64, 1, 1}, 128});
  ASSERT_EQ(o.error, "");
  for (const std::uint32_t word : o.out) ASSERT_EQ(word, 0x55u);
}

TEST(volta_divergence, barriers_count_threads_of_both_sides_of_a_branch) {
  // Even lanes arrive at one BAR, odd ones at another with the same number.
  const std::string program = volta_program(std::string("  S2R R5, SR_LANEID\n"
                                                        "  LOP3.LUT R6, R5, 0x1, RZ, 0xc0, !PT\n"
                                                        "  ISETP.NE.AND P0, PT, R6, RZ, PT\n"
                                                        "  MOV R4, 0x10\n"
                                                        "  BSSY B0, together\n"
                                                        "  @P0 BRA odd\n"
                                                        "  BAR.SYNC 0x0\n"
                                                        "  IADD3 R4, R4, 0x1, RZ\n"
                                                        "  BRA together\n"
                                                        "odd:\n"
                                                        "  BAR.SYNC 0x0\n"
                                                        "  IADD3 R4, R4, 0x2, RZ\n"
                                                        "together:\n"
                                                        "  BSYNC B0\n") +
                                            store_r4);
  const volta_figures o = run_of(program, {{1}, {96, 1, 1}, 96});
  ASSERT_EQ(o.error, "");
  for (std::uint32_t i = 0; i < o.out.size(); ++i) ASSERT_EQ(o.out[i], i % 2 == 0 ? 0x11u : 0x12u) << i;
}

TEST(volta_divergence, threads_that_have_exited_are_not_awaited) {
  const std::string program = volta_program(std::string("  S2R R5, SR_LANEID\n"
                                                        "  ISETP.LT.AND P0, PT, R5, 0x9, PT\n"
                                                        "  @P0 EXIT\n"
                                                        "  BAR.SYNC 0x0\n"
                                                        "  MOV R4, 0x33\n") +
                                            store_r4);
  const volta_figures o = run_of(program, {{3}, {128, 1, 1}, 384});
  ASSERT_EQ(o.error, "");
  for (std::uint32_t i = 0; i < o.out.size(); ++i) ASSERT_EQ(o.out[i], i % 32 < 9 ? 0u : 0x33u) << i;
}

TEST(volta_divergence, a_reduction_combines_a_predicate_of_all_threads) {
  const std::string program = volta_program(std::string("  S2R R5, SR_LANEID\n"
                                                        "  ISETP.LT.AND P0, PT, R5, 0x9, PT\n"
                                                        "  BAR.RED.POPC 0x0, P0\n"
                                                        "  B2R.RESULT R4, PT\n") +
                                            store_r4);
  const volta_figures o = run_of(program, {{3}, {160, 1, 1}, 480});
  ASSERT_EQ(o.error, "");
  for (const std::uint32_t word : o.out) ASSERT_EQ(word, 5u * 9);
}

}  // namespace
}  // namespace gt200::support
