#include "sc_models/texture/line_store.h"

#include <gtest/gtest.h>

#include <vector>

namespace gt200::model {
namespace {

class line_store : public ::testing::Test {
 protected:
  static constexpr auto none = texture_line_store::no_line;
  texture_line_store cache{2, 2, 32};  // two sets of two ways
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(32, 7);

  std::uint16_t bring_in(std::uint64_t address) {
    const std::uint16_t line = cache.candidate(address);
    cache.expect(line, address);
    cache.pin(line);
    cache.fill(line, bytes.data(), 2);
    cache.unpin(line);
    return line;
  }
};

TEST_F(line_store, finds_what_is_expected_or_filled) {
  EXPECT_EQ(cache.find(0x40), none);
  const std::uint16_t line = cache.candidate(0x40);
  cache.expect(line, 0x40);
  EXPECT_EQ(cache.find(0x40), line);
  EXPECT_TRUE(cache.expected(line));
  cache.fill(line, bytes.data(), 2);
  EXPECT_FALSE(cache.expected(line));
  EXPECT_EQ(cache.data(line)[31], 7);
  EXPECT_EQ(cache.find(0x60), none);
  cache.invalidate();
  EXPECT_EQ(cache.find(0x40), none);
}

TEST_F(line_store, replaces_the_line_used_longest_ago) {
  bring_in(0x00);
  bring_in(0x40);
  const std::uint16_t again = cache.find(0x00);
  cache.pin(again);
  cache.unpin(again);
  bring_in(0x80);
  EXPECT_NE(cache.find(0x00), none);
  EXPECT_EQ(cache.find(0x40), none);
  EXPECT_NE(cache.find(0x80), none);
}

TEST_F(line_store, pinned_and_expected_lines_stay) {
  const std::uint16_t pinned = bring_in(0x00);
  cache.pin(pinned);
  const std::uint16_t expected = cache.candidate(0x40);
  EXPECT_NE(expected, pinned);
  cache.expect(expected, 0x40);
  EXPECT_EQ(cache.candidate(0x80), none);
  EXPECT_NE(cache.candidate(0x20), none);  // the other set
  cache.unpin(pinned);
  EXPECT_EQ(cache.candidate(0x80), pinned);
}

TEST_F(line_store, lines_on_their_way_at_an_invalidation_serve_those_who_wait_and_nobody_else) {
  const std::uint16_t line = cache.candidate(0x40);
  cache.expect(line, 0x40);
  cache.pin(line);
  cache.invalidate();
  EXPECT_EQ(cache.find(0x40), none);
  EXPECT_NE(cache.candidate(0x40), line);
  cache.fill(line, bytes.data(), 2);
  EXPECT_FALSE(cache.expected(line));
  EXPECT_EQ(cache.data(line)[0], 7);
  EXPECT_EQ(cache.find(0x40), none);
}

TEST_F(line_store, failed_line_is_not_found_and_is_free_without_pins) {
  const std::uint16_t line = cache.candidate(0x00);
  cache.expect(line, 0x00);
  cache.pin(line);
  cache.fail(line);
  EXPECT_TRUE(cache.failed(line));
  EXPECT_EQ(cache.find(0x00), none);
  EXPECT_NE(cache.candidate(0x00), line);
  cache.unpin(line);
  bring_in(0x40);
  EXPECT_EQ(cache.candidate(0x80), line);
}

}  // namespace
}  // namespace gt200::model
