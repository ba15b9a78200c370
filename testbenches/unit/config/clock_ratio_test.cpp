#include "sc_models/config/clock_ratio.h"

#include <gtest/gtest.h>

#include "sc_models/config/chip_config.h"

namespace gt200::config {
namespace {

TEST(clock_ratio_test, converts_between_the_two_clocks) {
  EXPECT_EQ(tesla_clocks.shader_per_core(), 2u);
  EXPECT_EQ(tesla_clocks.shader_cycles(std::uint64_t{7}), 14u);
  EXPECT_EQ(tesla_clocks.core_cycles(9u), 4u) << "whole ones";
  EXPECT_EQ(tesla_clocks.core_cycles_begun(9u), 5u);
  EXPECT_EQ(tesla_clocks.core_cycles_begun(8u), 4u);
}

TEST(clock_ratio_test, one_clock_for_both_changes_nothing) {
  constexpr clock_ratio one_clock{0};
  EXPECT_EQ(one_clock.shader_per_core(), 1u);
  EXPECT_EQ(one_clock.shader_cycles(7u), 7u);
  EXPECT_EQ(one_clock.core_cycles(7u), 7u);
  EXPECT_EQ(one_clock.core_cycles_begun(7u), 7u);
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
