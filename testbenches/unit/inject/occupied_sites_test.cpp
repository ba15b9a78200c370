// The draw among bits in use, and what happens next to them.
#include "inject/occupied_sites.h"

#include <gtest/gtest.h>

#include "inject/next_accesses.h"
#include "testbenches/unit/inject/faulty_board.h"

namespace gt200::inject {
namespace {

const std::vector<cycle_range> cycles = {{first_busy_cycle, last_busy_cycle}};

TEST(occupied_sites, each_lies_in_its_structure_and_its_cycles) {
  faulty_board board;
  occupied_sites drawn(board.target, cycles, 1, 50);
  board.run();
  const fault_space space(board.target.chip());
  ASSERT_EQ(drawn.result().size(), 7u);
  for (const auto& d : drawn.result()) {
    EXPECT_EQ(d.sites.size(), 50u) << d.structure << " is in use at some time";
    EXPECT_GT(d.share_in_use, 0) << d.structure;
    EXPECT_LT(d.share_in_use, 1) << d.structure;
    for (const site& s : d.sites) {
      EXPECT_EQ(space.find(s.module).storage->structure(), d.structure);
      EXPECT_LT(s.bit, space.find(s.module).bits);
      EXPECT_GE(s.cycle, cycles[0].first);
      EXPECT_LT(s.cycle, cycles[0].end);
    }
  }
}

TEST(occupied_sites, cycles_are_spread_over_the_run) {
  faulty_board board;
  occupied_sites drawn(board.target, cycles, 1, 400);
  board.run();
  for (const auto& d : drawn.result()) {
    if (d.structure != "shared_memory" && d.structure != "register_file") continue;  // in use all the time
    unsigned early = 0;
    for (const site& s : d.sites) early += s.cycle < (first_busy_cycle + last_busy_cycle) / 2;
    EXPECT_GT(early, 130u) << d.structure;
    EXPECT_LT(early, 270u) << d.structure;
  }
}

TEST(next_accesses, say_what_the_program_does_with_a_register) {
  faulty_board board;
  // Row n of the storage is $rn of warp 0. $r1 is read in the loop, $r5 written first; the last row belongs to
  // none.
  const std::string file = "gt200.tpc_0.sm_0.register_file";
  const auto bit_of = [](std::uint64_t row) { return (row * 32 + 3) * 32 + 7; };
  const std::uint64_t last = board.target.chip().config.tpc.sm.limits.registers / 32 - 1;
  const next_accesses accesses(board.target, {{file, bit_of(1), 4500},
                                              {file, bit_of(7), 4500},
                                              {file, bit_of(last), 4500},
                                              {file, bit_of(1), 1'000'000},
                                              {"gt200.tpc_0.sm_0.shared_memory", 3, 4500}});
  board.run();
  const std::vector<next_access> expected = {next_access::read, next_access::unknown, next_access::none,
                                             next_access::none, next_access::unknown};
  const std::vector<next_access> got = accesses.result();
  for (const std::size_t i : {0, 2, 3, 4}) EXPECT_EQ(got[i], expected[i]) << i;
  EXPECT_TRUE(got[1] == next_access::read || got[1] == next_access::write);
}

}  // namespace
}  // namespace gt200::inject
