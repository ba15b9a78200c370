#include "sc_models/memory_path/page_table.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <stdexcept>

#include "sc_models/memory_path/page_entries.h"

namespace gt200::model {
namespace {

TEST(page_table, translates_mapped_addresses_and_no_others) {
  page_table pages(4096);
  pages.map(0x10000, 0x2000, 0x5000);
  EXPECT_EQ(pages.find(0xffff), nullptr);
  ASSERT_NE(pages.find(0x10000), nullptr);
  EXPECT_EQ(pages.find(0x10000)->translate(0x10000), 0x5000u);
  ASSERT_NE(pages.find(0x11fff), nullptr);
  EXPECT_EQ(pages.find(0x11fff)->translate(0x11fff), 0x6fffu);
  EXPECT_EQ(pages.find(0x12000), nullptr);
}

TEST(page_table, holds_ranges_in_any_order_up_to_40_bits) {
  page_table pages(4096);
  pages.map(0x8000000000, 0x1000, 0x3000);
  pages.map(0x1000, 0x1000, 0x1000);
  pages.map(0x5000, 0x1000, 0x2000);
  EXPECT_EQ(pages.find(0x1004)->translate(0x1004), 0x1004u);
  EXPECT_EQ(pages.find(0x5004)->translate(0x5004), 0x2004u);
  EXPECT_EQ(pages.find(0x8000000004)->translate(0x8000000004), 0x3004u);
  EXPECT_EQ(pages.find(0x3000), nullptr);
}

TEST(page_table, contiguous_ranges_become_one) {
  page_table pages(4096);
  pages.map(0x1000, 0x1000, 0x101000);
  pages.map(0x3000, 0x1000, 0x103000);
  pages.map(0x2000, 0x1000, 0x102000);
  ASSERT_NE(pages.find(0x1000), nullptr);
  EXPECT_EQ(pages.find(0x1000)->first, 0x1000u);
  EXPECT_EQ(pages.find(0x1000)->last, 0x3fffu);
  pages.map(0x4000, 0x1000, 0x500000);  // adjacent, but elsewhere in physical memory
  EXPECT_EQ(pages.find(0x3fff)->last, 0x3fffu);
  EXPECT_EQ(pages.find(0x4000)->translate(0x4001), 0x500001u);
}

TEST(page_table, refuses_parts_of_pages_and_double_mapping) {
  page_table pages(4096);
  pages.map(0x4000, 0x2000, 0);
  EXPECT_THROW(pages.map(0x8000, 100, 0), std::logic_error);
  EXPECT_THROW(pages.map(0x8010, 0x1000, 0), std::logic_error);
  EXPECT_THROW(pages.map(0x8000, 0x1000, 0x10), std::logic_error);
  EXPECT_THROW(pages.map(0x8000, 0, 0), std::logic_error);
  EXPECT_THROW(pages.map(0x5000, 0x1000, 0x9000), std::logic_error);
  EXPECT_THROW(pages.map(0x3000, 0x2000, 0x9000), std::logic_error);
  EXPECT_THROW(pages.map(0x3000, 0x4000, 0x9000), std::logic_error);
}

TEST(page_table, protects_pages_within_a_range) {
  page_table pages(4096);
  pages.map(0x10000, 0x4000, 0x50000);
  pages.protect(0x11000, 0x1000);
  EXPECT_FALSE(pages.find(0x10fff)->read_only);
  EXPECT_TRUE(pages.find(0x11000)->read_only);
  EXPECT_EQ(pages.find(0x11004)->translate(0x11004), 0x51004u);
  EXPECT_FALSE(pages.find(0x12000)->read_only);
  EXPECT_EQ(pages.find(0x13004)->translate(0x13004), 0x53004u);
  pages.protect(0x10000, 0x1000);
  EXPECT_EQ(pages.find(0x10000)->last, 0x11fffu) << "alike neighbours are one range";
  EXPECT_THROW(pages.protect(0x11000, 0x2000), std::logic_error) << "two ranges";
  EXPECT_THROW(pages.protect(0x12000, 0x800), std::logic_error);
  EXPECT_THROW(pages.protect(0x20000, 0x1000), std::logic_error);
}

// -- in device memory --

// What a walk through written images finds, independent of page_table.
class written_table {
 public:
  explicit written_table(page_table& pages) : base_(pages.base()) { update(pages); }
  void update(page_table& pages) {
    for (const memory_image& image : pages.take_changes())
      for (std::size_t i = 0; i < image.bytes.size(); ++i) bytes_[image.address + i] = image.bytes[i];
  }
  std::uint64_t word(std::uint64_t at) const {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < 8; ++i) {
      const auto found = bytes_.find(at + i);
      value |= std::uint64_t{found == bytes_.end() ? std::uint8_t{0} : found->second} << (8 * i);
    }
    return value;
  }
  std::uint64_t entry(std::uint64_t address) const {
    const std::uint64_t directory = word(base_ + (address >> 29) * 8);
    if ((directory & 3) == 0) return 0;
    const unsigned shift = (directory & 3) == 1 ? 16 : 12;
    return word((directory & 0xff'ffff'f000) + ((address & 0x1fff'ffff) >> shift) * 8);
  }

 private:
  std::uint64_t base_;
  std::map<std::uint64_t, std::uint8_t> bytes_;
};

TEST(page_table, entries_lie_in_memory_as_envytools_has_them) {
  page_table pages(4096, 0x100000);
  pages.map(0x21000, 0x1000, 0x345000);
  pages.map(0xe0000000, 0x1000, 0x346000);
  pages.protect(0xe0000000, 0x1000);
  const written_table written(pages);
  EXPECT_EQ(written.word(0x100000), 0x104003u) << "small pages, the table behind the directory";
  EXPECT_EQ(written.word(0x100000 + 7 * 8), 0x204003u) << "the next table, 1 MB further";
  EXPECT_EQ(written.entry(0x21000), 0x345001u);
  EXPECT_EQ(written.entry(0x20000), 0u);
  EXPECT_EQ(written.entry(0xe0000000), 0x346009u) << "read-only";
  EXPECT_EQ(written.entry(0x40000000), 0u);
}

TEST(page_table, large_pages_have_tables_of_their_own_size) {
  page_table pages(65536, 0x100000);
  pages.map(0x30000, 0x10000, 0x7650000);
  pages.map(0x20000000, 0x10000, 0x7680000);
  const written_table written(pages);
  EXPECT_EQ(written.word(0x100000), 0x104001u);
  EXPECT_EQ(written.word(0x100008), 0x114001u);
  EXPECT_EQ(written.entry(0x30000), 0x7650001u);
  EXPECT_EQ(written.entry(0x20000000), 0x7680001u);
}

TEST(page_table, pages_of_a_contiguous_block_name_its_order_and_its_first_page) {
  page_table pages(4096, 0);
  pages.map(0x3000, 0xd000, 0x123000);  // pages 3 .. 15
  written_table written(pages);
  EXPECT_EQ(written.entry(0x3000), 0x123001u) << "alone: its block of two begins unmapped";
  for (std::uint64_t a = 0x4000; a < 0x8000; a += 0x1000) EXPECT_EQ(written.entry(a), 0x124001u | 2u << 7) << a;
  for (std::uint64_t a = 0x8000; a < 0x10000; a += 0x1000) EXPECT_EQ(written.entry(a), 0x128001u | 3u << 7) << a;
  pages.map(0x0, 0x3000, 0x120000);
  written.update(pages);
  for (std::uint64_t a = 0; a < 0x10000; a += 0x1000) EXPECT_EQ(written.entry(a), 0x120001u | 4u << 7) << a;
}

TEST(page_table, blocks_end_at_128_pages) {
  page_table pages(4096, 0);
  pages.map(0, 0x200000, 0x800000);
  const written_table written(pages);
  EXPECT_EQ(written.entry(0x7f000), 0x800001u | 7u << 7);
  EXPECT_EQ(written.entry(0x80000), 0x880001u | 7u << 7);
}

TEST(page_table, entries_decode_to_what_was_encoded) {
  using namespace page_entries;
  const page_entry page{true, true, 5, 0xab'cdef'1000};
  const page_entry decoded = page_entry::decode(page.encode());
  EXPECT_TRUE(decoded.present && decoded.read_only);
  EXPECT_EQ(decoded.order, 5u);
  EXPECT_EQ(decoded.physical, page.physical);
  EXPECT_FALSE(page_entry::decode(0).present);
  EXPECT_EQ(directory_entry::decode(0x204001).page_bytes, large_page);
  EXPECT_EQ(directory_entry::decode(0x204003).entry_of(0x20003000), 0x204018u);
}

}  // namespace
}  // namespace gt200::model
