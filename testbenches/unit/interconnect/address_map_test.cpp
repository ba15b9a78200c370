// Every physical address has one place in one partition, for any number of partitions.
#include "sc_models/interconnect/address_map.h"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

namespace gt200::model {
namespace {

using config::partition_hash;

struct shape {
  unsigned partitions;
  std::uint32_t interleave;
  partition_hash hash;
};

std::vector<shape> shapes() {
  std::vector<shape> all;
  for (unsigned n = 1; n <= 16; ++n)
    for (const std::uint32_t interleave : {128u, 256u, 4096u})
      for (const auto hash : {partition_hash::none, partition_hash::fold}) all.push_back({n, interleave, hash});
  return all;
}

TEST(address_map_test, inverse_gives_the_address_back) {
  for (const shape& s : shapes()) {
    const address_map map(s.partitions, s.interleave, s.hash);
    for (std::uint64_t a = 0; a < (std::uint64_t{1} << 40); a = a * 3 + 77) {
      const auto at = map.locate(a);
      ASSERT_LT(at.partition, s.partitions);
      ASSERT_EQ(map.physical(at), a) << s.partitions << " partitions";
    }
  }
}

TEST(address_map_test, blocks_fill_the_partitions_without_gaps) {
  for (const shape& s : shapes()) {
    const address_map map(s.partitions, s.interleave, s.hash);
    std::set<std::pair<unsigned, std::uint64_t>> places;
    const unsigned rounds = 40;
    for (unsigned block = 0; block < rounds * s.partitions; ++block) {
      const auto at = map.locate(std::uint64_t{block} * s.interleave);
      EXPECT_TRUE(places.emplace(at.partition, at.offset).second);
      EXPECT_LT(at.offset, std::uint64_t{rounds} * s.interleave);
    }
  }
}

// envytools, Ruetsch and Micikevicius: 256 bytes per partition, 8 partitions, period 2048 bytes.
TEST(address_map_test, consecutive_blocks_of_256_bytes_go_to_consecutive_partitions) {
  const address_map map(8, 256, partition_hash::none);
  for (unsigned block = 0; block < 64; ++block) {
    EXPECT_EQ(map.locate(block * 256 + 255).partition, block % 8);
    EXPECT_EQ(map.locate(block * 256 + 255).offset, block / 8 * 256 + 255);
  }
}

// G80: 6 partitions, period 1536 bytes.
TEST(address_map_test, six_partitions_repeat_after_1536_bytes) {
  const address_map map(6, 256, partition_hash::none);
  for (std::uint64_t a = 0; a < 1536; a += 256) {
    EXPECT_EQ(map.locate(a).partition, a / 256);
    EXPECT_EQ(map.locate(a + 1536).partition, a / 256);
  }
}

TEST(address_map_test, without_hash_a_stride_of_the_period_camps_on_one_partition_with_fold_it_does_not) {
  const address_map plain(8, 256, partition_hash::none);
  const address_map fold(8, 256, partition_hash::fold);
  std::set<unsigned> plain_partitions;
  std::set<unsigned> fold_partitions;
  for (unsigned i = 0; i < 64; ++i) {
    plain_partitions.insert(plain.locate(i * 2048).partition);
    fold_partitions.insert(fold.locate(i * 2048).partition);
  }
  EXPECT_EQ(plain_partitions.size(), 1u);
  EXPECT_EQ(fold_partitions.size(), 8u);
}

// envytools, g80-vram: what the storage type of a page changes.
TEST(address_map_test, arrays_change_the_order_of_partitions_within_a_round) {
  const address_map map(8, 256, partition_hash::none);
  const auto partition_of = [&](std::uint64_t block) {
    return map.locate(block * 256 | block_linear_storage).partition;
  };
  EXPECT_EQ(partition_of(5), 5u);
  EXPECT_EQ(partition_of(1 * 8 + 5), 4u);
  EXPECT_EQ(partition_of(7 * 8 + 5), 6u);
  EXPECT_EQ(partition_of(9 * 8 + 5), 3u) << "adjusted by 1 + 1";
  EXPECT_EQ(partition_of(31 * 8 + 0), 6u) << "adjusted by 7 + 3";
  EXPECT_EQ(partition_of(32 * 8 + 5), 5u);
  const address_map six(6, 256, partition_hash::none);
  EXPECT_EQ(six.locate((3 * 6 + 2) * 256 | block_linear_storage).partition, 2u);
  EXPECT_EQ(six.locate((4 * 6 + 2) * 256 | block_linear_storage).partition, 3u);
  const address_map plain(8, 256, partition_hash::none, config::block_linear_order::plain);
  EXPECT_EQ(plain.locate((9 * 8 + 5) * 256 | block_linear_storage).partition, 5u);
}

TEST(address_map_test, arrays_fill_the_places_of_their_pages_and_no_others) {
  constexpr std::uint64_t page = 65536;
  for (unsigned n = 1; n <= 16; ++n)
    for (const std::uint32_t interleave : {256u, 4096u}) {
      const address_map map(n, interleave, partition_hash::none);
      for (std::uint64_t base = 0; base < 4 * page; base += page) {
        std::set<std::pair<unsigned, std::uint64_t>> linear, array;
        for (std::uint64_t a = base; a < base + page; a += interleave) {
          linear.emplace(map.locate(a).partition, map.locate(a).offset);
          array.emplace(map.locate(a | block_linear_storage).partition,
                        map.locate(a | block_linear_storage).offset);
        }
        EXPECT_EQ(linear, array) << n << " partitions of " << interleave << " bytes";
      }
    }
}

TEST(address_map_test, arrays_do_not_camp_on_one_partition) {
  const address_map map(8, 256, partition_hash::none);
  std::set<unsigned> partitions;
  for (unsigned i = 0; i < 8; ++i) partitions.insert(map.locate(i * 2048 | block_linear_storage).partition);
  EXPECT_EQ(partitions.size(), 8u);
}

TEST(address_map_test, bytes_in_block_ends_at_the_next_block) {
  const address_map map(7, 256, partition_hash::none);
  EXPECT_EQ(map.bytes_in_block(0x1000), 256u);
  EXPECT_EQ(map.bytes_in_block(0x10ff), 1u);
}

TEST(address_map_test, impossible_shapes_are_refused) {
  EXPECT_THROW(address_map(0, 256, partition_hash::none), std::invalid_argument);
  EXPECT_THROW(address_map(8, 300, partition_hash::none), std::invalid_argument);
}

}  // namespace
}  // namespace gt200::model
