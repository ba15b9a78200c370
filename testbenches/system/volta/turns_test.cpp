// Two paths of a warp without branches: how long one waits for the other, in cycles
// (tpc.sm.processing_block.path_turn_cycles).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "testbenches/system/volta/volta_board.h"

namespace gt200::support {
namespace {

constexpr unsigned clocks = 24;          // that a thread reads and stores
constexpr unsigned between_clocks = 10;  // instructions of 15 cycles each
// From the end of a turn until the other path issues: three instructions in the buffer and one in flight, of 15
// cycles each, the operation itself, its way through the branch unit, and a fetch.
constexpr std::uint64_t way_of_a_turn = 100;

// Both halves of a warp read the clock again and again, a long time apart, on two sides of a branch. `side` begins
// every line of code of one side.
std::string side(unsigned path) {
  std::string text;
  for (unsigned n = 0; n < clocks; ++n) {
    text += fmt::format("  CS2R.32 R{}, SR_CLOCKLO\n", 20 + n);
    for (unsigned k = 0; k < between_clocks; ++k)
      text += fmt::format("  [B------:R-:W-:Y:S15] IADD3 R{}, R{}, 0x1, RZ\n", 10 + path, 10 + path);
  }
  return text;
}

// Thread t of one warp stores its clocks from word `clocks` x t on. They are those of a second pass, whose code is
// in the instruction cache.
std::string two_sides() {
  std::string body =
      "  S2R R5, SR_LANEID\n  ISETP.LT.AND P0, PT, R5, 0x10, PT\n"
      "  MOV R8, 0x60\n  MOV R9, c[0x0][out]\n  IMAD R9, R5, R8, R9\n  MOV R2, R9\n"
      "  MOV R7, 0x2\nagain:\n  BSSY B0, together\n  @P0 BRA other\n";
  body += side(0) + "  BRA together\nother:\n" + side(1) +
          "together:\n  BSYNC B0\n  IADD3 R7, R7, -0x1, RZ\n  ISETP.NE.AND P1, PT, R7, RZ, PT\n  @P1 BRA again\n";
  for (unsigned n = 0; n < clocks; ++n) body += fmt::format("  STG.E.SYS [R2+{:#x}], R{}\n", 4 * n, 20 + n);
  return volta_program(body);
}

const volta_grid one_warp = {{1}, {32, 1, 1}, 32 * clocks};

std::vector<std::string> turn_of(unsigned cycles) {
  return {fmt::format("tpc.sm.processing_block.path_turn_cycles={}", cycles)};
}

struct waits {
  std::string error;
  std::uint32_t longest = 0;     // between two clocks that a path reads one after the other
  std::uint32_t first_late = 0;  // from the first clock of the one path to the first of the other
};

waits waits_of(const volta_figures& f) {
  waits w;
  w.error = f.error;
  if (!f.error.empty() || f.out.size() != 32 * clocks) return w;
  const auto clock = [&](unsigned lane, unsigned n) { return f.out[lane * clocks + n]; };
  for (const unsigned lane : {0u, 31u})
    for (unsigned n = 1; n < clocks; ++n) w.longest = std::max(w.longest, clock(lane, n) - clock(lane, n - 1));
  w.first_late = std::max(clock(0, 0), clock(31, 0)) - std::min(clock(0, 0), clock(31, 0));
  return w;
}

constexpr std::uint32_t step = 15 * between_clocks;  // between two clocks of a path that runs alone

TEST(volta_turns, a_path_waits_no_longer_than_the_turn_of_the_other) {
  for (const unsigned turn : {300u, 1000u, 2000u}) {
    const waits w = waits_of(figures_of(run_volta_apart(two_sides(), one_warp, {}, turn_of(turn))));
    ASSERT_EQ(w.error, "") << turn;
    EXPECT_LE(w.first_late, turn + way_of_a_turn) << turn;
    EXPECT_LE(w.longest, turn + way_of_a_turn + step) << turn;
    EXPECT_GE(w.longest, turn) << "the other path runs for a whole turn, " << turn;
  }
}

// Without the key the branch alone decides: one side ends before the other begins.
TEST(volta_turns, without_them_a_path_runs_to_its_end) {
  const waits w = waits_of(figures_of(run_volta_apart(two_sides(), one_warp, {}, turn_of(0))));
  ASSERT_EQ(w.error, "");
  EXPECT_GE(w.first_late, (clocks - 1) * step);
  EXPECT_LE(w.longest, step + 20);
}

// A turn of a cycle: every path executes an instruction before it gives way.
TEST(volta_turns, of_a_cycle_leave_every_path_an_instruction) {
  const volta_figures f = figures_of(run_volta_apart(two_sides(), one_warp, {}, turn_of(1)));
  const waits w = waits_of(f);
  ASSERT_EQ(w.error, "");
  EXPECT_EQ(f.hazards, 0u);
  EXPECT_LE(w.first_late, way_of_a_turn);
}

// Divergent loops with barriers, and blocks that add up: right, without a hazard, alike in every order.
TEST(volta_turns, change_no_result_however_they_are_simulated) {
  for (const unsigned turn : {1u, 40u}) {
    expect_alike_in_every_way(block_sums, {{6}, {256, 1, 1}, 4}, turn_of(turn));
    expect_alike_in_every_order(two_sides(), one_warp, turn_of(turn));
  }
}

}  // namespace
}  // namespace gt200::support
