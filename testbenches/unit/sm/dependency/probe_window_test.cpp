// The warps that are probed in a cycle, and the number of probes.
#include <gtest/gtest.h>

#include "sc_models/sm/dependency/probe_window.h"

namespace gt200::model {
namespace {

TEST(probe_window, takes_all_warps_when_they_are_few) {
  probe_window window(4);
  EXPECT_EQ(window.at(core_cycle(1), 0b1011), 0b1011u);
  EXPECT_EQ(window.at(core_cycle(2), 0b1111), 0b1111u);
  EXPECT_EQ(window.probes_until(core_cycle(3)), 3u + 4u);
}

TEST(probe_window, goes_round) {
  probe_window window(2);
  EXPECT_EQ(window.at(core_cycle(1), 0b11111), 0b00011u);
  EXPECT_EQ(window.at(core_cycle(2), 0b11111), 0b01100u);
  EXPECT_EQ(window.at(core_cycle(3), 0b11111), 0b10001u);
  EXPECT_EQ(window.at(core_cycle(4), 0b11111), 0b00110u);
}

TEST(probe_window, passes_over_warps_without_an_instruction) {
  probe_window window(1);
  EXPECT_EQ(window.at(core_cycle(1), 0b100100), 0b000100u);
  EXPECT_EQ(window.at(core_cycle(2), 0b100100), 0b100000u);
  EXPECT_EQ(window.at(core_cycle(3), 0b100101), 0b000001u);
}

TEST(probe_window, answers_alike_however_often_a_cycle_asks) {
  probe_window window(1);
  EXPECT_EQ(window.at(core_cycle(7), 0b11), window.at(core_cycle(7), 0b11));
  EXPECT_EQ(window.probes_until(core_cycle(7)), 0u);
  EXPECT_EQ(window.probes_until(core_cycle(8)), 1u);
}

// Cycles that are skipped because nothing changes must not make a difference.
TEST(probe_window, makes_up_for_cycles_in_which_nobody_asks) {
  const warp_mask masks[] = {0b1101101, 0b11, 0b1111111111, 0, ~warp_mask{0}};
  for (unsigned limit = 1; limit <= 5; ++limit) {
    probe_window every(limit), some(limit);
    tlm_bus::cycle_t cycle = 1;
    for (const warp_mask mask : masks)
      for (const unsigned stretch : {1u, 7u, 64u}) {
        const warp_mask seen = some.at(core_cycle(cycle), mask);
        for (unsigned n = 0; n < stretch; ++n, ++cycle) {
          const warp_mask probed = every.at(core_cycle(cycle), mask);
          if (n == 0) {
            EXPECT_EQ(probed, seen) << "cycle " << cycle << ", limit " << limit;
          }
          EXPECT_EQ(probed & ~mask, 0u);
        }
      }
    EXPECT_EQ(every.probes_until(core_cycle(cycle)), some.probes_until(core_cycle(cycle)));
    EXPECT_NE(some.probes_until(core_cycle(cycle)), 0u);
  }
}

}  // namespace
}  // namespace gt200::model
