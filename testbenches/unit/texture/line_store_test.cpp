#include "sc_models/texture/line_store.h"

#include <gtest/gtest.h>

#include <vector>

#include "testbenches/unit/cache/cache_configs.h"

namespace gt200::model {
namespace {

class line_store : public ::testing::Test {
 protected:
  texture_line_store cache{testing::geometry(4 * 32, 2, 32)};  // two sets of two ways
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(32, 7);

  line_index bring_in(std::uint64_t address) {
    const line_index line = cache.expect(address);
    cache.pin(line);
    cache.fill(line, bytes.data(), 2);
    cache.unpin(line);
    return line;
  }
};

TEST_F(line_store, finds_what_is_expected_or_filled) {
  EXPECT_EQ(cache.find(0x40), no_line);
  const line_index line = cache.expect(0x40);
  EXPECT_EQ(cache.find(0x40), line);
  EXPECT_TRUE(cache.expected(line));
  cache.fill(line, bytes.data(), 2);
  EXPECT_FALSE(cache.expected(line));
  EXPECT_EQ(cache.data(line)[31], 7);
  EXPECT_EQ(cache.find(0x60), no_line);
  cache.invalidate();
  EXPECT_EQ(cache.find(0x40), no_line);
}

TEST_F(line_store, replaces_the_line_used_longest_ago) {
  bring_in(0x00);
  bring_in(0x40);
  const line_index again = cache.find(0x00);
  cache.pin(again);
  cache.unpin(again);
  bring_in(0x80);
  EXPECT_NE(cache.find(0x00), no_line);
  EXPECT_EQ(cache.find(0x40), no_line);
  EXPECT_NE(cache.find(0x80), no_line);
}

TEST_F(line_store, pinned_and_expected_lines_stay) {
  const line_index pinned = bring_in(0x00);
  cache.pin(pinned);
  const line_index expected = cache.expect(0x40);
  EXPECT_NE(expected, pinned);
  EXPECT_FALSE(cache.has_room(0x80));
  EXPECT_TRUE(cache.has_room(0x20)) << "the other set";
  cache.unpin(pinned);
  EXPECT_TRUE(cache.has_room(0x80));
  EXPECT_EQ(cache.expect(0x80), pinned);
}

TEST_F(line_store, lines_on_their_way_at_an_invalidation_serve_those_who_wait_and_nobody_else) {
  const line_index line = cache.expect(0x40);
  cache.pin(line);
  cache.invalidate();
  EXPECT_EQ(cache.find(0x40), no_line);
  const line_index fresh = cache.expect(0x40);
  EXPECT_NE(fresh, line);
  cache.fill(line, bytes.data(), 2);
  EXPECT_FALSE(cache.expected(line));
  EXPECT_EQ(cache.data(line)[0], 7);
  EXPECT_EQ(cache.find(0x40), fresh);
  EXPECT_TRUE(cache.expected(fresh));
}

TEST_F(line_store, failed_line_is_not_found_and_is_free_without_pins) {
  const line_index line = cache.expect(0x00);
  cache.pin(line);
  cache.fail(line);
  EXPECT_TRUE(cache.failed(line));
  EXPECT_EQ(cache.find(0x00), no_line);
  EXPECT_NE(bring_in(0x00), line) << "somebody still has to see the failure";
  cache.unpin(line);
  EXPECT_EQ(cache.expect(0x80), line);
}

}  // namespace
}  // namespace gt200::model
