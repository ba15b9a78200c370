#include "sc_models/sm/front_end/slot_accounting.h"

#include <gtest/gtest.h>

namespace gt200::model {
namespace {

constexpr stall_cause causes[] = {stall_cause::none, stall_cause::barrier, stall_cause::no_warp};

slot_use use_in(unsigned cycle) {
  slot_use use;
  use.cause = causes[cycle % 3];
  use.warp = warp_slot(cycle % 4);
  use.pc = 8 * (cycle % 5);
  use.lanes = use.cause == stall_cause::none ? 32 : 0;
  return use;
}

slot_accounting after(unsigned cycles) {
  slot_accounting accounting(2, 4);
  for (unsigned cycle = 0; cycle < cycles; ++cycle) {
    accounting.begin(core_cycle(cycle));
    accounting.note(0, use_in(cycle));
    accounting.note(1, use_in(cycle + 1));
    accounting.close(4, 0);
  }
  return accounting;
}

// Around the lengths at which the journal goes to the tables.
class slot_accounting_test : public ::testing::TestWithParam<unsigned> {};

TEST_P(slot_accounting_test, every_cycle_has_its_use_by_cause_warp_and_instruction) {
  const unsigned cycles = GetParam();
  slot_counts by_cause[2] = {};
  std::vector<slot_counts> by_warp(4);
  std::uint64_t lanes_at_8 = 0;
  for (unsigned cycle = 0; cycle < cycles; ++cycle)
    for (const unsigned scheduler : {0u, 1u}) {
      const slot_use use = use_in(cycle + scheduler);
      const auto cause = static_cast<std::size_t>(use.cause);
      ++by_cause[scheduler][cause];
      if (use.cause == stall_cause::no_warp) continue;
      ++by_warp[use.warp.index()][cause];
      if (use.pc == 8) lanes_at_8 += use.lanes;
    }
  const slot_accounting accounting = after(cycles);
  EXPECT_EQ(accounting.slots_until(0, core_cycle(cycles)), by_cause[0]);
  EXPECT_EQ(accounting.slots_until(1, core_cycle(cycles)), by_cause[1]);
  const slot_profile profile = accounting.profile_until(core_cycle(cycles));
  EXPECT_EQ(profile.by_warp(), by_warp);
  EXPECT_EQ(profile.by_instruction().size() > 2 ? profile.by_instruction()[2].lanes : 0, lanes_at_8);
}
INSTANTIATE_TEST_SUITE_P(lengths, slot_accounting_test,
                         ::testing::Values(0u, 1u, 2u, 127u, 128u, 129u, 130u, 1000u));

}  // namespace
}  // namespace gt200::model
