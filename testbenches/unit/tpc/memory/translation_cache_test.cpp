#include "sc_models/tpc/memory/translation_cache.h"

#include <gtest/gtest.h>

namespace gt200::model {
namespace {

constexpr std::uint64_t kib512 = 512 * 1024;

TEST(translation_cache, sixteen_entries_reach_8_mb_and_not_more) {
  translation_cache tags(16, 16, kib512);
  for (std::uint64_t i = 0; i < 16; ++i) EXPECT_FALSE(tags.access(i * kib512));
  for (std::uint64_t i = 0; i < 16; ++i) EXPECT_TRUE(tags.access(i * kib512 + 4096));
  // A seventeenth page in the cycle makes every look-up a miss.
  for (int round = 0; round < 2; ++round)
    for (std::uint64_t i = 0; i < 17; ++i) EXPECT_EQ(tags.access(i * kib512), round == 0 && i < 16) << i;
}

TEST(translation_cache, replaces_the_entry_not_used_for_longest) {
  translation_cache tags(2, 2, 4096);
  tags.access(0x1000);
  tags.access(0x2000);
  EXPECT_TRUE(tags.access(0x1fff));
  EXPECT_FALSE(tags.access(0x3000));  // evicts 0x2000
  EXPECT_TRUE(tags.access(0x1000));
  EXPECT_FALSE(tags.access(0x2000));
}

TEST(translation_cache, pages_of_one_set_compete_others_do_not) {
  translation_cache tags(4, 1, 4096);  // 4 sets
  EXPECT_FALSE(tags.access(0x0000));
  EXPECT_FALSE(tags.access(0x1000));
  EXPECT_TRUE(tags.access(0x0000));
  EXPECT_FALSE(tags.access(0x4000));
  EXPECT_FALSE(tags.access(0x0000));
  EXPECT_TRUE(tags.access(0x1000));
}

}  // namespace
}  // namespace gt200::model
