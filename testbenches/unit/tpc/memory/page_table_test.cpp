#include "sc_models/tpc/memory/page_table.h"

#include <gtest/gtest.h>

#include <stdexcept>

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
  pages.clear();
  EXPECT_EQ(pages.find(0x1004), nullptr);
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

}  // namespace
}  // namespace gt200::model
