// Contents of the DRAM: real bytes anywhere in the capacity, 0 where nothing was written.
#include "sc_models/partition/dram/storage.h"

#include <gtest/gtest.h>

#include <vector>

#include "sc_models/partition/dram/address.h"
#include "testbenches/unit/partition/dram/dram_configs.h"

namespace gt200::model {
namespace {

using bytes = std::vector<std::uint8_t>;

TEST(dram_storage_test, bytes_come_back_across_pages) {
  dram_storage storage(1u << 20);
  bytes data(200);
  for (unsigned i = 0; i < data.size(); ++i) data[i] = static_cast<std::uint8_t>(i + 1);
  storage.store(65536 - 100, data.data(), data.size());
  bytes back(data.size());
  storage.load(65536 - 100, back.data(), back.size());
  EXPECT_EQ(back, data);
}

TEST(dram_storage_test, what_was_never_written_reads_as_0) {
  const dram_storage storage(1u << 20);
  bytes back(64, 0xee);
  storage.load((1u << 20) - 64, back.data(), back.size());
  EXPECT_EQ(back, bytes(64, 0));
}

TEST(dram_storage_test, masked_bytes_keep_their_value_across_pages) {
  dram_storage storage(1u << 20);
  const bytes old(8, 1), data(8, 2), enables = {0, 0xff, 0, 0xff, 0xff, 0, 0xff, 0};
  storage.store(65532, old.data(), 8);
  storage.store(65532, data.data(), 8, enables.data());
  bytes back(8);
  storage.load(65532, back.data(), 8);
  EXPECT_EQ(back, (bytes{1, 2, 1, 2, 2, 1, 2, 1}));
}

TEST(dram_storage_test, contains_ends_with_the_capacity) {
  const dram_storage storage(1u << 20);
  EXPECT_TRUE(storage.contains((1u << 20) - 4, 4));
  EXPECT_FALSE(storage.contains((1u << 20) - 4, 5));
  EXPECT_FALSE(storage.contains(~std::uint64_t{0}, 4));
}

TEST(dram_address_map_test, column_then_bank_then_row) {
  const dram_address_map map(test::dram_config());  // 4 banks, rows of 1024 bytes
  const auto at = map.locate(7 * 4096 + 2 * 1024 + 100);
  EXPECT_EQ(at.row, 7u);
  EXPECT_EQ(at.bank, 2u);
  EXPECT_EQ(at.column, 100u);
}

TEST(dram_address_map_test, hash_spreads_rows_over_the_banks) {
  auto config = test::dram_config();
  config.bank_hash = config::bank_hash::xor_row;
  const dram_address_map map(config);
  for (unsigned row = 0; row < 8; ++row) {
    unsigned banks = 0;
    for (unsigned bank = 0; bank < 4; ++bank) banks |= 1u << map.locate(row * 4096 + bank * 1024).bank;
    EXPECT_EQ(banks, 15u) << "one to one";
    EXPECT_EQ(map.locate(row * 4096).bank, row % 4);
  }
}

}  // namespace
}  // namespace gt200::model
