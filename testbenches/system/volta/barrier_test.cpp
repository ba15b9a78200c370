// Barriers order accesses: what is behind one comes after everything that its threads did before it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sc_models/sm/volta/sm.h"
#include "testbenches/support/own_process.h"
#include "testbenches/system/volta/volta_board.h"

namespace gt200::support {
namespace {

constexpr std::uint32_t threads = 256;

// Warps with an even number store their threads' numbers four times to shared memory, 32 lanes to one bank, so that
// these stores wait in front of the memory. The other warps, in other processing blocks, arrive at the barrier at
// once. Behind it every thread reads what the even warp of its pair has stored last. All that twice, as the first
// time everybody waits for code; R5 + 0x1000 * R9 is stored, with R9 = 2 and 1. `last`: what the even warps do the
// second time between the stores and the barrier, under P1.
std::string exchange(const std::string& last = "") {
  std::string body =
      "  [B------:R-:W2:-:S02] S2R R5, SR_TID.X\n"
      "  [B--2---:R-:W-:-:S08] LOP3.LUT R6, R5, 0x1f, RZ, 0xc0, !PT\n"
      "  [B------:R-:W-:-:S08] SHF.R.U32.HI R7, RZ, 0x5, R5\n"
      "  [B------:R-:W-:-:S08] LOP3.LUT R8, R7, 0x1, RZ, 0xc0, !PT\n"
      "  [B------:R-:W-:-:S08] SHF.L.U32 R6, R6, 0x7, RZ\n"
      "  [B------:R-:W-:-:S08] LOP3.LUT R7, R7, 0x6, RZ, 0xc0, !PT\n"
      "  [B------:R-:W-:Y:S15] ISETP.NE.AND P0, PT, R8, RZ, PT\n"
      "  [B------:R-:W-:-:S08] LEA R7, R7, R6, 0x2\n"
      "  [B------:R-:W-:-:S08] MOV R9, 0x2\n"
      "again:\n"
      "  [B------:R-:W-:-:S08] LEA R10, R9, R5, 0xc\n"
      "  [B------:R-:W-:Y:S15] ISETP.EQ.AND P1, PT, R9, 0x1, PT\n"
      "  [B------:R-:W-:-:S05] @P0 BRA meet\n";
  for (unsigned k = 0; k < 4; ++k)
    body += fmt::format("  [B------:R-:W-:-:S02] STS [R7+cells+{:#x}], R10\n", 32 * k);
  body += last +
          "meet:\n"
          "  [B------:R-:W-:-:S05] BAR.SYNC 0x0\n"
          "  [B------:R-:W3:-:S02] LDS R4, [R7+cells+0x60]\n"
          "  [B---3--:R-:W-:-:S05] BAR.SYNC 0x1\n"
          "  [B------:R-:W-:-:S08] IADD3 R9, R9, -0x1, RZ\n"
          "  [B------:R-:W-:Y:S15] ISETP.NE.AND P2, PT, R9, RZ, PT\n"
          "  [B------:R-:W-:-:S05] @P2 BRA again\n";
  return volta_program(body + store_r4, ".shared cells 4096\n");
}
constexpr std::uint32_t last_value(std::uint32_t thread) { return thread + 0x1000; }

const volta_grid one_block = {{1}, {threads, 1, 1}, threads};

TEST(volta_barrier, opens_when_stores_before_it_are_in_order) {
  const volta_figures o = figures_of(run_volta_apart(exchange(), one_block));
  ASSERT_EQ(o.error, "");
  for (std::uint32_t t = 0; t < threads; ++t) EXPECT_EQ(o.out[t], last_value(t & ~32u)) << t;
}

TEST(volta_barrier, waits_for_stores_of_threads_that_exited) {
  const volta_figures o = figures_of(run_volta_apart(exchange("  [B------:R-:W-:-:S05] @P1 EXIT\n"), one_block));
  ASSERT_EQ(o.error, "");
  for (std::uint32_t t = 0; t < threads; ++t) EXPECT_EQ(o.out[t], t / 32 % 2 == 0 ? 0 : last_value(t - 32)) << t;
}

// R7: number of the warp in the block. Warp n branches to "warp_n:".
const char* const to_their_places =
    "  S2R R5, SR_TID.X\n"
    "  SHF.R.U32.HI R7, RZ, 0x5, R5\n"
    "  MOV R4, RZ\n"
    "  MOV R9, 0x28\n"
    "  ISETP.EQ.AND P0, PT, R7, 0x1, PT\n"
    "  ISETP.EQ.AND P1, PT, R7, 0x2, PT\n"
    "  @P0 BRA warp_1\n"
    "  @P1 BRA warp_2\n";
// Some hundred cycles.
const char* const some_time =
    "turn:\n"
    "  IADD3 R9, R9, -0x1, RZ\n"
    "  ISETP.NE.AND P0, PT, R9, RZ, PT\n"
    "  @P0 BRA turn\n";

TEST(volta_barrier, a_thread_that_arrives_and_exits_counts_once) {
  // Warp 0 arrives and exits, warp 1 waits for what warp 2 stores later.
  const std::string program = volta_program(std::string(to_their_places) +
                                                "  BAR.ARV 0x0\n"
                                                "  EXIT\n"
                                                "warp_1:\n"
                                                "  BAR.SYNC 0x0\n"
                                                "  LDS R4, [cell]\n"
                                                "  STG.E.SYS [R2], R4\n"
                                                "  EXIT\n"
                                                "warp_2:\n" +
                                                some_time +
                                                "  MOV R8, 0x77\n"
                                                "  STS [cell], R8\n"
                                                "  BAR.SYNC 0x0\n",
                                            ".shared cell 16\n");
  const volta_grid grid = {{3}, {96, 1, 1}, 288};
  expect_alike_in_every_way(program, grid);
  const volta_figures o = figures_of(run_volta_apart(program, grid));
  ASSERT_EQ(o.error, "");
  for (std::uint32_t t = 0; t < o.out.size(); ++t) EXPECT_EQ(o.out[t], t / 32 % 3 == 1 ? 0x77u : 0) << t;
}

TEST(volta_barrier, arrivals_of_a_block_that_has_ended_are_gone) {
  // Of four blocks of threads one waits; the threads of the others arrive and exit, all of them at once.
  const std::string program = volta_program(std::string("  S2R R10, SR_CTAID.X\n"
                                                        "  LOP3.LUT R10, R10, 0x3, RZ, 0xc0, !PT\n"
                                                        "  ISETP.EQ.AND P3, PT, R10, 0x3, PT\n"
                                                        "  @P3 BRA waits\n"
                                                        "  [B------:R-:W-:-:S05] BAR.ARV 0x0\n"
                                                        "  [B------:R-:W-:-:S05] EXIT\n"
                                                        "waits:\n") +
                                                to_their_places +
                                                "  BAR.SYNC 0x0\n"
                                                "  LDS R4, [cell]\n"
                                                "  BRA stores\n"
                                                "warp_2:\n" +
                                                some_time +
                                                "  MOV R8, 0x77\n"
                                                "  STS [cell], R8\n"
                                                "warp_1:\n"
                                                "  BAR.SYNC 0x0\n"
                                                "stores:\n" +
                                                store_r4,
                                            ".shared cell 16\n");
  const volta_grid grid = {{400}, {128, 1, 1}, 400 * 128};
  const volta_figures o = figures_of(run_volta_apart(program, grid));
  ASSERT_EQ(o.error, "");
  for (std::uint32_t t = 0; t < o.out.size(); ++t)
    ASSERT_EQ(o.out[t], t / 128 % 4 == 3 && t / 32 % 4 % 3 == 0 ? 0x77u : 0) << t;
}

// Lanes of one warp: some wait, and the others exit without having arrived.
TEST(volta_barrier, opens_when_the_last_threads_that_have_not_arrived_exit) {
  const std::string program = volta_program(std::string("  S2R R5, SR_LANEID\n"
                                                        "  MOV R4, 0x33\n"
                                                        "  MOV R9, 0x28\n"
                                                        "  ISETP.LT.AND P1, PT, R5, 0x9, PT\n"
                                                        "  @P1 BRA exits\n"
                                                        "  BAR.SYNC 0x0\n") +
                                            store_r4 + "  EXIT\nexits:\n" + some_time);
  const volta_grid grid = {{3}, {64, 1, 1}, 192};
  expect_alike_in_every_way(program, grid);
  const volta_figures o = figures_of(run_volta_apart(program, grid));
  ASSERT_EQ(o.error, "");
  for (std::uint32_t t = 0; t < o.out.size(); ++t) EXPECT_EQ(o.out[t], t % 32 < 9 ? 0 : 0x33u) << t;
}

// Takes from every barrier what it knows of older accesses.
class forgetful final : public tlm_bus::pipe_observer<model::collected_token> {
  void token_sent(const sc_core::sc_object&, tlm_bus::femtoseconds, const model::collected_token& token) override {
    token.operation->memory_sent = 0;
  }
  void token_taken(const sc_core::sc_object&, tlm_bus::femtoseconds, const model::collected_token&) override {}
};

TEST(volta_barrier, that_opens_too_early_is_found_by_the_checker) {
  const std::string error = in_own_process([] {
    forgetful damage;
    return run_on_volta(exchange(), one_block, {}, {},
                        [&](model::volta_sm& sm) {
                          for (auto& in : sm.barrier.in) in.observers().attach(damage);
                        })
        .error;
  });
  EXPECT_NE(error.find("model fault: order of accesses to shared memory"), std::string::npos) << error;
}

}  // namespace
}  // namespace gt200::support
