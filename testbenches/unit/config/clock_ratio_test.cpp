#include "sc_models/config/clock_ratio.h"

#include <gtest/gtest.h>

#include "sc_models/config/chip_config.h"

namespace gt200::config {
namespace {

using timed::core_cycle;
using timed::core_cycles;
using timed::shader_cycle;
using timed::shader_cycles;

TEST(clock_ratio_test, converts_between_the_two_clocks) {
  EXPECT_EQ(tesla_clocks.shader_per_core(), 2u);
  EXPECT_EQ(tesla_clocks.to_shader(core_cycles(7)), shader_cycles(14));
  EXPECT_EQ(tesla_clocks.to_core(shader_cycles(9)), core_cycles(4)) << "whole ones";
  EXPECT_EQ(tesla_clocks.to_core_begun(shader_cycles(9)), core_cycles(5));
  EXPECT_EQ(tesla_clocks.to_core_begun(shader_cycles(8)), core_cycles(4));
}

TEST(clock_ratio_test, edges_of_the_core_clock_are_edges_of_the_shader_clock) {
  EXPECT_EQ(tesla_clocks.to_shader(core_cycle(7)), shader_cycle(14));
  EXPECT_EQ(tesla_clocks.first_core_from(shader_cycle(14)), core_cycle(7));
  EXPECT_EQ(tesla_clocks.first_core_from(shader_cycle(15)), core_cycle(8));
}

TEST(clock_ratio_test, one_clock_for_both_changes_nothing) {
  constexpr clock_ratio one_clock{0};
  EXPECT_EQ(one_clock.shader_per_core(), 1u);
  EXPECT_EQ(one_clock.to_shader(core_cycles(7)), shader_cycles(7));
  EXPECT_EQ(one_clock.to_core(shader_cycles(7)), core_cycles(7));
  EXPECT_EQ(one_clock.to_core_begun(shader_cycles(7)), core_cycles(7));
  EXPECT_EQ(one_clock.first_core_from(shader_cycle(7)), core_cycle(7));
}

TEST(clock_ratio_test, the_period_of_the_core_clock_follows_from_it) {
  clocks_config clocks;
  clocks.shader_mhz = 1296;
  EXPECT_EQ(clocks.core_period(), 2 * clocks.shader_period());
}

TEST(clock_ratio_test, keys_in_whole_core_cycles_refuse_half_of_one) {
  EXPECT_EQ(whole_core_cycles(6, 1000).step, 2u);
}

}  // namespace
}  // namespace gt200::config
