// Which bank, row and column hold a byte: column below bank below row, with and without the hash.
#include "sc_models/partition/dram/address.h"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "testbenches/unit/partition/dram/dram_configs.h"

namespace gt200::model {
namespace {

// 4 banks with rows of 1024 bytes.
dram_address located(std::uint64_t offset, config::bank_hash hash = config::bank_hash::none) {
  config::dram_config config = test::dram_config();
  config.bank_hash = hash;
  return dram_address_map(config).locate(offset);
}

TEST(dram_address_map_test, column_is_below_the_bank_and_the_bank_below_the_row) {
  const dram_address at = located(3 * 4096 + 2 * 1024 + 37);
  EXPECT_EQ(at.row, 3u);
  EXPECT_EQ(at.bank, 2u);
  EXPECT_EQ(at.column, 37u);
}

TEST(dram_address_map_test, hash_moves_the_rows_of_a_stride_to_different_banks) {
  for (std::uint32_t row = 0; row < 8; ++row) {
    EXPECT_EQ(located(row * 4096).bank, 0u);
    EXPECT_EQ(located(row * 4096, config::bank_hash::xor_row).bank, row % 4);
    EXPECT_EQ(located(row * 4096, config::bank_hash::xor_row).row, row);
  }
}

TEST(dram_address_map_test, a_place_leads_back_to_its_offset) {
  for (const auto hash : {config::bank_hash::none, config::bank_hash::xor_row}) {
    config::dram_config config = test::dram_config();
    config.bank_hash = hash;
    const dram_address_map map(config);
    for (std::uint64_t offset = 5; offset < config.capacity_bytes(); offset += 1021)
      ASSERT_EQ(map.offset_of(map.locate(offset)), offset);
    EXPECT_EQ(map.left_in_row(map.locate(1000)), 24u);
  }
}

TEST(dram_address_map_test, no_two_rows_of_the_partition_share_a_place) {
  for (const auto hash : {config::bank_hash::none, config::bank_hash::xor_row}) {
    std::set<std::tuple<unsigned, std::uint32_t>> places;
    const std::uint64_t capacity = test::dram_config().capacity_bytes();
    for (std::uint64_t offset = 0; offset < capacity; offset += 1024) {
      const dram_address at = located(offset, hash);
      places.insert({at.bank, at.row});
    }
    EXPECT_EQ(places.size(), capacity / 1024);
  }
}

}  // namespace
}  // namespace gt200::model
