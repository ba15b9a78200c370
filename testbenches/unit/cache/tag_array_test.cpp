// Least recently used replacement in any geometry; lines hold their data until replaced or invalidated.
#include "sc_models/cache/tag_array.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace gt200::model {
namespace {

config::cache_config geometry(std::uint32_t bytes, std::uint32_t ways, std::uint32_t line_bytes) {
  config::cache_config c;
  c.bytes = bytes;
  c.ways = ways;
  c.line_bytes = line_bytes;
  c.hit_latency_cycles = 1;
  c.mshrs = 1;
  return c;
}

TEST(tag_array_test, a_line_is_found_at_any_of_its_bytes_and_only_there) {
  tag_array array(geometry(1024, 2, 64));
  array.replace(0x12340)[5] = 0xab;
  ASSERT_NE(array.look_up(0x12340), nullptr);
  EXPECT_EQ(array.look_up(0x1237f)[5], 0xab);
  EXPECT_EQ(array.look_up(0x1233f), nullptr);
  EXPECT_EQ(array.look_up(0x12380), nullptr);
}

TEST(tag_array_test, the_least_recently_used_line_of_the_set_makes_room) {
  tag_array array(geometry(2 * 64 * 8, 2, 64));  // 8 sets: lines 512 bytes apart meet
  array.replace(0);
  array.replace(512);
  array.look_up(0);
  array.replace(1024);
  EXPECT_TRUE(array.holds(0));
  EXPECT_FALSE(array.holds(512));
  EXPECT_TRUE(array.holds(1024));
}

TEST(tag_array_test, holds_does_not_count_as_a_use) {
  tag_array array(geometry(2 * 64, 2, 64));
  array.replace(0);
  array.replace(64);
  EXPECT_TRUE(array.holds(0));
  array.replace(128);
  EXPECT_FALSE(array.holds(0));
}

TEST(tag_array_test, twenty_ways_of_32_bytes_in_5_kilobytes_hold_5_kilobytes_in_a_row) {
  tag_array array(geometry(5 * 1024, 20, 32));
  for (unsigned line = 0; line < 160; ++line) array.replace(0x1000 + line * 32);
  for (unsigned line = 0; line < 160; ++line) EXPECT_TRUE(array.holds(0x1000 + line * 32)) << line;
  array.replace(0x1000 + 160 * 32);
  EXPECT_FALSE(array.holds(0x1000)) << "8 sets: line 160 takes the place of line 0";
}

TEST(tag_array_test, sets_need_not_be_a_power_of_two) {
  tag_array array(geometry(3 * 64, 1, 64));
  for (unsigned line = 0; line < 3; ++line) array.replace(line * 64);
  EXPECT_TRUE(array.holds(0) && array.holds(64) && array.holds(128));
  array.replace(3 * 64);
  EXPECT_FALSE(array.holds(0));
  EXPECT_TRUE(array.holds(64) && array.holds(128));
}

TEST(tag_array_test, invalidation_forgets_all_lines) {
  tag_array array(geometry(1024, 4, 64));
  for (unsigned line = 0; line < 16; ++line) array.replace(line * 64);
  array.invalidate();
  for (unsigned line = 0; line < 16; ++line) EXPECT_FALSE(array.holds(line * 64));
}

TEST(tag_array_test, empty_ways_are_filled_before_a_line_is_lost) {
  tag_array array(geometry(4 * 64, 4, 64));
  array.replace(0);
  array.invalidate();
  for (unsigned line = 1; line < 5; ++line) array.replace(line * 64);
  for (unsigned line = 1; line < 5; ++line) EXPECT_TRUE(array.holds(line * 64));
}

TEST(tag_array_test, a_capacity_that_is_no_number_of_sets_is_refused) {
  EXPECT_THROW(tag_array(geometry(1000, 4, 64)), std::invalid_argument);
  EXPECT_THROW(tag_array(geometry(64, 2, 64)), std::invalid_argument);
  EXPECT_THROW(tag_array(geometry(960, 1, 48)), std::invalid_argument);
}

}  // namespace
}  // namespace gt200::model
