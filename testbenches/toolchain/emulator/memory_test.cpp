#include "toolchain/arch_state/memory.h"

#include <gtest/gtest.h>

namespace gt200::arch_state {
namespace {

TEST(memory, only_mapped_bytes_can_be_accessed) {
  memory m;
  ASSERT_TRUE(m.map(0x1000, 0x20));
  EXPECT_TRUE(m.is_mapped(0x1000, 0x20));
  EXPECT_TRUE(m.is_mapped(0x101f, 1));
  EXPECT_FALSE(m.is_mapped(0x101f, 2));
  EXPECT_FALSE(m.is_mapped(0x0fff, 1));
  EXPECT_FALSE(m.is_mapped(0x1020, 1));
  std::uint32_t word = 7;
  EXPECT_FALSE(m.write(0x101e, &word, 4));
  EXPECT_FALSE(m.read(0x0ffe, &word, 4));
  EXPECT_TRUE(m.read(0x101c, &word, 4));
  EXPECT_EQ(word, 0u) << "never written: zero";
}

TEST(memory, ranges_do_not_overlap) {
  memory m;
  EXPECT_TRUE(m.map(0x1000, 0x100));
  EXPECT_TRUE(m.map(0x1100, 0x100));
  EXPECT_FALSE(m.map(0x10ff, 1));
  EXPECT_FALSE(m.map(0x0f00, 0x101));
  EXPECT_FALSE(m.map(0x1000, 0x100));
  EXPECT_FALSE(m.map(0x3000, 0));
  EXPECT_FALSE(m.is_mapped(0x10ff, 2)) << "an access must not run from one buffer into the next";
}

TEST(memory, a_range_grows_up_to_the_next_one_and_keeps_its_content) {
  memory m;
  ASSERT_TRUE(m.map(0x1000, 0x100));
  ASSERT_TRUE(m.map(0x2000, 0x100));
  std::uint32_t word = 7;
  ASSERT_TRUE(m.write(0x10fc, &word, 4));
  EXPECT_FALSE(m.grow(0x1000, 0x2001));
  EXPECT_FALSE(m.grow(0x1000, 0x10ff)) << "it would shrink";
  EXPECT_FALSE(m.grow(0x1004, 0x1800)) << "no range begins there";
  EXPECT_FALSE(m.grow(0x2000, 0x100000001));
  EXPECT_TRUE(m.grow(0x1000, 0x2000));
  EXPECT_TRUE(m.is_mapped(0x1000, 0x1000));
  word = 0;
  EXPECT_TRUE(m.read(0x10fc, &word, 4));
  EXPECT_EQ(word, 7u);
}

TEST(memory, reaches_to_the_last_address_and_not_beyond) {
  memory m;
  EXPECT_FALSE(m.map(0xfffffff0, 0x11));
  ASSERT_TRUE(m.map(0xfffffff0, 0x10));
  std::uint32_t word = 0x12345678;
  EXPECT_TRUE(m.write(0xfffffffc, &word, 4));
  EXPECT_FALSE(m.is_mapped(0xfffffffd, 4));
}

TEST(memory, buffers_may_cross_pages) {
  memory m;
  const std::uint32_t start = 3 * memory::page_bytes - 5;
  ASSERT_TRUE(m.map(start, 2 * memory::page_bytes));
  std::vector<std::uint8_t> data(memory::page_bytes + 10), back(data.size());
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::uint8_t>(i * 7);
  EXPECT_TRUE(m.write(start, data.data(), data.size()));
  EXPECT_TRUE(m.read(start, back.data(), back.size()));
  EXPECT_EQ(data, back);
  EXPECT_EQ(m.look(3 * memory::page_bytes - 2, 4), nullptr);
}

TEST(memory, a_copy_has_its_own_content) {
  memory m;
  ASSERT_TRUE(m.map(0x1000, 4));
  std::uint32_t word = 1;
  m.write(0x1000, &word, 4);
  memory copy = m;
  word = 2;
  copy.write(0x1000, &word, 4);
  m.read(0x1000, &word, 4);
  EXPECT_EQ(word, 1u);
}

TEST(memory, an_unmapped_range_is_empty_when_mapped_again) {
  memory m;
  ASSERT_TRUE(m.map(0x1000, 8));
  std::uint32_t word = 5;
  m.write(0x1000, &word, 4);
  m.unmap(0x1000);
  EXPECT_FALSE(m.is_mapped(0x1000, 1));
  ASSERT_TRUE(m.map(0x1000, 4));
  m.read(0x1000, &word, 4);
  EXPECT_EQ(word, 0u);
}

}  // namespace
}  // namespace gt200::arch_state
