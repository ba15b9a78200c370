#include "sc_models/memory_path/translation_cache.h"

#include <gtest/gtest.h>

namespace gt200::model {
namespace {

constexpr std::uint64_t kib512 = 512 * 1024;

// Looks up, and brings in what is missing; true on a hit.
bool access(translation_cache& cache, std::uint64_t address, std::uint64_t block) {
  if (cache.find(address) != nullptr) return true;
  const std::uint64_t first = address / block * block;
  cache.insert(address, {first, block, first + 0x100000, false, false});
  return false;
}

TEST(translation_cache, sixteen_entries_reach_8_mb_and_not_more) {
  translation_cache cache(16, 16, kib512);
  for (std::uint64_t i = 0; i < 16; ++i) EXPECT_FALSE(access(cache, i * kib512, kib512));
  for (std::uint64_t i = 0; i < 16; ++i) EXPECT_TRUE(access(cache, i * kib512 + 4096, kib512));
  // A seventeenth page in the cycle makes every look-up a miss.
  for (int round = 0; round < 2; ++round)
    for (std::uint64_t i = 0; i < 17; ++i) EXPECT_EQ(access(cache, i * kib512, kib512), round == 0 && i < 16) << i;
}

TEST(translation_cache, replaces_the_entry_not_used_for_longest) {
  translation_cache cache(2, 2, 4096);
  access(cache, 0x1000, 4096);
  access(cache, 0x2000, 4096);
  EXPECT_TRUE(access(cache, 0x1fff, 4096));
  EXPECT_FALSE(access(cache, 0x3000, 4096));  // evicts 0x2000
  EXPECT_TRUE(access(cache, 0x1000, 4096));
  EXPECT_FALSE(access(cache, 0x2000, 4096));
}

TEST(translation_cache, pages_of_one_set_compete_others_do_not) {
  translation_cache cache(4, 1, 4096);  // 4 sets
  EXPECT_FALSE(access(cache, 0x0000, 4096));
  EXPECT_FALSE(access(cache, 0x1000, 4096));
  EXPECT_TRUE(access(cache, 0x0000, 4096));
  EXPECT_FALSE(access(cache, 0x4000, 4096));
  EXPECT_FALSE(access(cache, 0x0000, 4096));
  EXPECT_TRUE(access(cache, 0x1000, 4096));
}

TEST(translation_cache, an_entry_answers_for_its_part_of_a_block_and_no_more) {
  translation_cache cache(4, 4, 8192);
  cache.insert(0x13000, {0x10000, 0x4000, 0x50000, true, false});
  EXPECT_EQ(cache.find(0x11fff), nullptr);
  ASSERT_NE(cache.find(0x12000), nullptr);
  EXPECT_EQ(cache.find(0x12000)->first, 0x10000u) << "the block is known as a whole";
  EXPECT_TRUE(cache.find(0x12000)->read_only);
  EXPECT_EQ(cache.find(0x14000), nullptr);
  const translation part = cache.part_of({0x10000, 0x4000, 0x50000, true}, 0x13000);
  EXPECT_EQ(part.first, 0x12000u);
  EXPECT_EQ(part.bytes, 0x2000u);
  EXPECT_EQ(part.physical, 0x52000u);
  cache.insert(0x20000, {0x20000, 0x1000, 0x70000, false, false});
  EXPECT_EQ(cache.find(0x21000), nullptr) << "a block smaller than an entry";
}

}  // namespace
}  // namespace gt200::model
