// Which line holds an address, which line is replaced, and what a pin prevents.
#include "sc_models/cache/tag_array.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "testbenches/unit/cache/cache_configs.h"

namespace gt200::model {
namespace {

using testing::geometry;

bool holds(const tag_array& tags, std::uint64_t address) { return tags.find(address) != no_line; }

// Allocates a line as a read-only cache does: its old content is lost.
void bring_in(tag_array& tags, std::uint64_t address) { EXPECT_NE(tags.allocate(address).line, no_line); }

// Looks up an address as a read-only cache does: a hit counts as a use.
void look_up(tag_array& tags, std::uint64_t address) {
  const line_index line = tags.find(address);
  ASSERT_NE(line, no_line);
  tags.used(line);
}

TEST(tag_array_test, a_line_is_found_at_any_of_its_bytes_and_only_there) {
  tag_array tags(geometry(1024, 2, 64));
  const line_index line = tags.allocate(0x12345).line;
  EXPECT_EQ(tags.find(0x12340), line);
  EXPECT_EQ(tags.find(0x1237f), line);
  EXPECT_EQ(tags.find(0x1233f), no_line);
  EXPECT_EQ(tags.find(0x12380), no_line);
  EXPECT_EQ(tags.address_of(line), 0x12340u);
  EXPECT_EQ(tags.offset_in_line(0x1237f), 0x3fu);
}

TEST(tag_array_test, the_least_recently_used_line_of_the_set_makes_room) {
  tag_array tags(geometry(2 * 64 * 8, 2, 64));  // 8 sets: lines 512 bytes apart share one
  bring_in(tags, 0);
  bring_in(tags, 512);
  look_up(tags, 0);
  bring_in(tags, 1024);
  EXPECT_TRUE(holds(tags, 0));
  EXPECT_FALSE(holds(tags, 512));
  EXPECT_TRUE(holds(tags, 1024));
}

TEST(tag_array_test, a_marked_line_makes_room_before_older_ones_that_are_not) {
  tag_array tags(geometry(3 * 64, 3, 64));
  for (const std::uint64_t address : {0, 64, 128}) bring_in(tags, address);
  tags.mark_evict_first(tags.find(64), true);
  tags.mark_evict_first(tags.find(128), true);
  bring_in(tags, 192);
  EXPECT_TRUE(holds(tags, 0) && holds(tags, 128)) << "the older one of the marked lines has gone";
  bring_in(tags, 256);
  EXPECT_TRUE(holds(tags, 0) && holds(tags, 192)) << "then the other one";
  bring_in(tags, 320);
  EXPECT_FALSE(holds(tags, 0)) << "a line with a new address has no mark";
}

TEST(tag_array_test, a_mark_can_be_taken_away_and_does_not_move_a_pinned_line) {
  tag_array tags(geometry(2 * 64, 2, 64));
  bring_in(tags, 0);
  bring_in(tags, 64);
  tags.mark_evict_first(tags.find(64), true);
  tags.pin(tags.find(64));
  bring_in(tags, 128);
  EXPECT_TRUE(holds(tags, 64));
  tags.unpin(tags.find(64));
  tags.mark_evict_first(tags.find(64), false);
  bring_in(tags, 192);
  EXPECT_FALSE(holds(tags, 64)) << "the older one again";
  EXPECT_TRUE(holds(tags, 128));
}

// Mei and Chu, arXiv 1509.02308: on a Fermi one way is replaced in half of the misses, the others in a sixth each.
TEST(tag_array_test, not_recently_used_replaces_ways_as_often_as_measured_on_a_fermi) {
  tag_array tags(geometry(4 * 64, 4, 64), "", config::set_index::modulo, config::line_replacement::nru);
  unsigned misses = 0;
  unsigned replaced[4] = {};
  for (unsigned n = 0; n < 4 + 6000; ++n) {
    const std::uint64_t address = 64 * (n % 5);
    if (const line_index line = tags.find(address); line != no_line) {
      tags.used(line);
      continue;
    }
    const tag_array::allocation place = tags.allocate(address);
    if (place.evicted == tag_array::no_address) continue;
    ++misses;
    ++replaced[place.line];
  }
  EXPECT_NEAR(misses / 6000.0, 2.0 / 3, 0.01);
  EXPECT_NEAR(replaced[0], misses / 2.0, misses / 100.0);
  for (unsigned way = 1; way < 4; ++way) EXPECT_NEAR(replaced[way], misses / 6.0, misses / 100.0) << way;
}

// Nugteren et al., HPCA 2014: 16 KB in 32 sets, 48 KB in 64.
TEST(tag_array_test, a_folded_index_combines_bits_of_the_address) {
  const auto set_of = [](std::uint32_t bytes, std::uint32_t ways, std::uint64_t address) {
    tag_array tags(geometry(bytes, ways, 128), "", config::set_index::folded);
    return tags.allocate(address).line / ways;
  };
  EXPECT_EQ(set_of(16384, 4, 0x80), 1u);
  EXPECT_EQ(set_of(16384, 4, 0xf80), 31u);
  EXPECT_EQ(set_of(16384, 4, 0x1000), 0u) << "bit 12";
  EXPECT_EQ(set_of(16384, 4, 0x2000), 1u) << "bit 13";
  EXPECT_EQ(set_of(16384, 4, 0x2080), 0u);
  EXPECT_EQ(set_of(16384, 4, 0x8000), 4u) << "bit 15";
  EXPECT_EQ(set_of(16384, 4, 0x10000), 0u) << "bit 16";
  EXPECT_EQ(set_of(16384, 4, 0x20000), 8u) << "bit 17";
  EXPECT_EQ(set_of(16384, 4, 0x40000), 0u) << "bit 18";
  EXPECT_EQ(set_of(16384, 4, 0x80000), 16u) << "bit 19";
  EXPECT_EQ(set_of(49152, 6, 0x1000), 32u) << "bit 12";
}

TEST(tag_array_test, finding_a_line_is_not_a_use) {
  tag_array tags(geometry(2 * 64, 2, 64));
  bring_in(tags, 0);
  bring_in(tags, 64);
  EXPECT_TRUE(holds(tags, 0));
  bring_in(tags, 128);
  EXPECT_FALSE(holds(tags, 0));
}

TEST(tag_array_test, twenty_ways_of_32_bytes_in_5_kilobytes_hold_5_kilobytes_in_a_row) {
  tag_array tags(geometry(5 * 1024, 20, 32));
  for (unsigned line = 0; line < 160; ++line) bring_in(tags, 0x1000 + line * 32);
  for (unsigned line = 0; line < 160; ++line) EXPECT_TRUE(holds(tags, 0x1000 + line * 32)) << line;
  bring_in(tags, 0x1000 + 160 * 32);
  EXPECT_FALSE(holds(tags, 0x1000)) << "8 sets: line 160 takes the place of line 0";
}

TEST(tag_array_test, sets_need_not_be_a_power_of_two) {
  tag_array tags(geometry(3 * 64, 1, 64));
  for (unsigned line = 0; line < 3; ++line) bring_in(tags, line * 64);
  EXPECT_TRUE(holds(tags, 0) && holds(tags, 64) && holds(tags, 128));
  bring_in(tags, 3 * 64);
  EXPECT_FALSE(holds(tags, 0));
  EXPECT_TRUE(holds(tags, 64) && holds(tags, 128));
}

TEST(tag_array_test, an_allocation_names_the_line_it_evicts_so_that_it_can_be_written_back) {
  tag_array tags(geometry(2 * 64, 2, 64));
  EXPECT_EQ(tags.allocate(0x40).evicted, tag_array::no_address);
  EXPECT_EQ(tags.allocate(0x80).evicted, tag_array::no_address);
  const tag_array::allocation third = tags.allocate(0xc8);
  EXPECT_EQ(third.evicted, 0x40u);
  EXPECT_EQ(tags.address_of(third.line), 0xc0u);
}

TEST(tag_array_test, invalidation_forgets_all_lines) {
  tag_array tags(geometry(1024, 4, 64));
  for (unsigned line = 0; line < 16; ++line) bring_in(tags, line * 64);
  tags.invalidate();
  for (unsigned line = 0; line < 16; ++line) EXPECT_FALSE(holds(tags, line * 64));
}

TEST(tag_array_test, empty_ways_are_filled_before_a_line_is_lost) {
  tag_array tags(geometry(4 * 64, 4, 64));
  bring_in(tags, 0);
  tags.invalidate();
  for (unsigned line = 1; line < 5; ++line) bring_in(tags, line * 64);
  for (unsigned line = 1; line < 5; ++line) EXPECT_TRUE(holds(tags, line * 64));
}

TEST(tag_array_test, a_forgotten_line_is_the_next_to_be_filled) {
  tag_array tags(geometry(4 * 64, 4, 64));
  for (unsigned line = 0; line < 4; ++line) bring_in(tags, line * 64);
  const line_index youngest = tags.find(3 * 64);
  tags.forget(youngest);
  EXPECT_FALSE(holds(tags, 3 * 64));
  const tag_array::allocation next = tags.allocate(4 * 64);
  EXPECT_EQ(next.line, youngest);
  EXPECT_EQ(next.evicted, tag_array::no_address);
}

TEST(tag_array_test, a_pinned_line_is_not_replaced) {
  tag_array tags(geometry(2 * 64, 2, 64));
  const line_index oldest = tags.allocate(0).line;
  bring_in(tags, 64);
  tags.pin(oldest);
  EXPECT_EQ(tags.allocate(128).evicted, 64u);
  EXPECT_TRUE(holds(tags, 0));
}

TEST(tag_array_test, a_set_whose_lines_are_all_pinned_has_no_room) {
  tag_array tags(geometry(2 * 2 * 64, 2, 64));  // two sets
  const line_index first = tags.allocate(0).line;
  const line_index second = tags.allocate(128).line;
  tags.pin(first);
  tags.pin(first);
  tags.pin(second);
  tags.unpin(first);
  EXPECT_FALSE(tags.can_allocate(256)) << "a line stays as long as it has one pin";
  EXPECT_EQ(tags.allocate(256).line, no_line);
  EXPECT_TRUE(tags.can_allocate(64)) << "the other set";
  tags.unpin(first);
  EXPECT_TRUE(tags.can_allocate(256));
  EXPECT_EQ(tags.allocate(256).line, first);
}

TEST(tag_array_test, an_invalidated_line_that_is_pinned_is_not_found_and_not_replaced) {
  tag_array tags(geometry(2 * 64, 2, 64));
  const line_index line = tags.allocate(0).line;
  tags.pin(line);
  tags.invalidate();
  EXPECT_FALSE(holds(tags, 0));
  EXPECT_NE(tags.allocate(0).line, line);
  tags.unpin(line);
  EXPECT_EQ(tags.allocate(64).line, line);
}

TEST(tag_array_test, a_capacity_that_is_no_number_of_sets_is_refused) {
  EXPECT_THROW(tag_array(geometry(1000, 4, 64)), std::invalid_argument);
  EXPECT_THROW(tag_array(geometry(64, 2, 64)), std::invalid_argument);
  EXPECT_THROW(tag_array(geometry(960, 1, 48)), std::invalid_argument);
}

// A policy from outside that names one line, whatever it is asked.
class fixed_choice final : public replacement_policy {
 public:
  void filled(line_index) override {}
  void used(line_index) override {}
  line_index victim(const std::vector<line_index>&) override { return choice; }
  static inline line_index choice = 0;
};

// What allocating to a full set says. Two sets of two ways; line 0 is pinned.
std::string error_of_choice(line_index choice) {
  fixed_choice::choice = choice;
  tag_array tags(geometry(2 * 2 * 64, 2, 64), "gt200.tpc_0.l2");
  bring_in(tags, 0);
  bring_in(tags, 128);
  tags.pin(tags.find(0));
  try {
    return tags.allocate(256).line == choice ? "" : "another line";
  } catch (const std::logic_error& error) {
    return error.what();
  }
}

TEST(tag_array_test, a_replacement_that_names_a_line_which_is_no_candidate_is_an_error) {
  cache_replacements::add({"fixed", "one line", {}},
                          [](const replacement_context&) { return std::make_unique<fixed_choice>(); });
  config::choose_at(config::cache_replacements, "gt200.tpc_0.l2", "fixed");
  const std::string refused = "gt200.tpc_0.l2: the replacement policy names a line that it cannot replace";
  EXPECT_EQ(error_of_choice(1), "");
  EXPECT_EQ(error_of_choice(0), refused) << "pinned";
  EXPECT_EQ(error_of_choice(2), refused) << "another set";
  EXPECT_EQ(error_of_choice(4), refused) << "beyond the cache";
  EXPECT_EQ(error_of_choice(no_line), refused);
}

}  // namespace
}  // namespace gt200::model
