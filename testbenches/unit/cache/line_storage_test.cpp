// The data of lines, and their dirty bytes: a fill does not overwrite them, a write-back sends them to memory.
#include "sc_models/cache/line_storage.h"

#include <gtest/gtest.h>

#include <numeric>

namespace gt200::model {
namespace {

using bytes = std::vector<std::uint8_t>;
constexpr std::uint32_t line_bytes = 32;

// 32 bytes that count up from `first`.
bytes counting_from(std::uint8_t first) {
  bytes values(line_bytes);
  std::iota(values.begin(), values.end(), first);
  return values;
}

bytes line_of(const line_storage& storage, line_index line) {
  return bytes(storage.data(line), storage.data(line) + line_bytes);
}

TEST(line_storage_test, a_line_has_the_bytes_of_its_fill) {
  line_storage storage(4, line_bytes);
  storage.fill(1, counting_from(10).data());
  storage.fill(2, counting_from(100).data());
  EXPECT_EQ(line_of(storage, 1), counting_from(10));
  EXPECT_EQ(line_of(storage, 2), counting_from(100));
}

class writable_storage : public ::testing::Test {
 protected:
  writable_storage() { storage.fill(1, counting_from(0).data()); }
  line_storage storage{4, line_bytes, line_storage::kind::writable};
  payload_pool pool;
};

TEST_F(writable_storage, a_write_changes_its_bytes_and_makes_the_line_dirty) {
  EXPECT_FALSE(storage.dirty(1));
  storage.write(1, 4, 2, bytes{0xaa, 0xbb}.data());
  bytes expected = counting_from(0);
  expected[4] = 0xaa;
  expected[5] = 0xbb;
  EXPECT_EQ(line_of(storage, 1), expected);
  EXPECT_TRUE(storage.dirty(1));
  EXPECT_FALSE(storage.dirty(0));
}

TEST_F(writable_storage, byte_enables_choose_the_bytes_of_a_write) {
  storage.write(1, 0, 3, bytes{0xaa, 0xbb, 0xcc}.data(), bytes{0xff, 0, 0xff}.data());
  EXPECT_EQ(storage.data(1)[0], 0xaa);
  EXPECT_EQ(storage.data(1)[1], 1);
  EXPECT_EQ(storage.data(1)[2], 0xcc);
  EXPECT_TRUE(storage.dirty(1, 0, 1));
  EXPECT_FALSE(storage.dirty(1, 0, 3));
}

TEST_F(writable_storage, a_fill_leaves_dirty_bytes_as_they_are) {
  storage.write(2, 8, 2, bytes{0xaa, 0xbb}.data());  // a store before the line has come
  EXPECT_TRUE(storage.dirty(2, 8, 2)) << "these can be read already";
  EXPECT_FALSE(storage.dirty(2, 7, 3));
  storage.fill(2, counting_from(100).data());
  bytes expected = counting_from(100);
  expected[8] = 0xaa;
  expected[9] = 0xbb;
  EXPECT_EQ(line_of(storage, 2), expected);
  EXPECT_TRUE(storage.dirty(2)) << "memory does not have them yet";
}

TEST_F(writable_storage, a_write_back_takes_the_dirty_bytes_and_leaves_the_line_clean) {
  storage.write(1, 30, 2, bytes{0xaa, 0xbb}.data());
  memory_payload& payload = pool.get();
  storage.write_back(1, 0x1240, payload);
  EXPECT_TRUE(payload.is_write());
  EXPECT_EQ(payload.get_address(), 0x1240u);
  EXPECT_EQ(payload.get_data_length(), line_bytes);
  EXPECT_EQ(payload.bytes()[30], 0xaa);
  EXPECT_EQ(payload.bytes()[31], 0xbb);
  ASSERT_NE(payload.get_byte_enable_ptr(), nullptr);
  for (unsigned i = 0; i < line_bytes; ++i) EXPECT_EQ(payload.get_byte_enable_ptr()[i], i < 30 ? 0 : 0xff) << i;
  EXPECT_FALSE(storage.dirty(1));
  EXPECT_EQ(storage.data(1)[30], 0xaa) << "the data stay";
  payload.release();
}

TEST_F(writable_storage, a_line_that_is_dirty_all_over_is_written_back_without_byte_enables) {
  storage.write(1, 0, line_bytes, counting_from(50).data());
  memory_payload& payload = pool.get();
  storage.write_back(1, 0, payload);
  EXPECT_EQ(payload.get_byte_enable_ptr(), nullptr);
  EXPECT_EQ(bytes(payload.bytes(), payload.bytes() + line_bytes), counting_from(50));
  payload.release();
}

TEST_F(writable_storage, bytes_written_twice_are_dirty_once) {
  storage.write(1, 0, line_bytes, counting_from(50).data());
  storage.write(1, 0, 4, counting_from(60).data());
  memory_payload& payload = pool.get();
  storage.write_back(1, 0, payload);
  EXPECT_EQ(payload.get_byte_enable_ptr(), nullptr);
  payload.release();
}

TEST_F(writable_storage, a_cleaned_line_takes_all_bytes_of_the_next_fill) {
  storage.write(1, 0, 4, bytes{1, 2, 3, 4}.data());
  storage.clean(1);
  EXPECT_FALSE(storage.dirty(1));
  storage.fill(1, counting_from(200).data());
  EXPECT_EQ(line_of(storage, 1), counting_from(200));
}

TEST_F(writable_storage, a_part_of_a_line_may_be_filled) {
  storage.write(1, 8, 2, bytes{0xaa, 0xbb}.data());
  storage.fill(1, 4, 8, counting_from(100).data());
  bytes expected = counting_from(0);
  for (unsigned i = 4; i < 12; ++i) expected[i] = static_cast<std::uint8_t>(100 + i - 4);
  expected[8] = 0xaa;
  expected[9] = 0xbb;
  EXPECT_EQ(line_of(storage, 1), expected);
}

TEST_F(writable_storage, a_renewed_byte_stays_clean_or_dirty) {
  storage.write(1, 8, 1, bytes{0xaa}.data());
  storage.renew(1, 8, 0xcc);
  storage.renew(1, 9, 0xdd);
  EXPECT_TRUE(storage.dirty(1, 8, 1));
  EXPECT_FALSE(storage.dirty(1, 9, 1));
  EXPECT_EQ(storage.data(1)[8], 0xcc);
  EXPECT_EQ(storage.data(1)[9], 0xdd);
}

TEST(wide_line_storage, a_write_back_covers_the_sectors_that_have_dirty_bytes) {
  line_storage storage(1, 4 * line_sector_bytes, line_storage::kind::writable);
  payload_pool pool;
  storage.write(0, 40, 2, bytes{1, 2}.data());
  storage.write(0, 70, 1, bytes{3}.data());
  std::vector<std::uint32_t> dirty;
  storage.for_each_dirty(0, 0, 128, [&](std::uint32_t i) { dirty.push_back(i); });
  EXPECT_EQ(dirty, (std::vector<std::uint32_t>{40, 41, 70}));
  memory_payload& payload = pool.get();
  storage.write_back(0, 0x1000, payload);
  EXPECT_EQ(payload.get_address(), 0x1020u);
  EXPECT_EQ(payload.get_data_length(), 64u);
  ASSERT_NE(payload.get_byte_enable_ptr(), nullptr);
  for (unsigned i = 0; i < 64; ++i)
    EXPECT_EQ(payload.get_byte_enable_ptr()[i], i == 8 || i == 9 || i == 38 ? 0xff : 0) << i;
  payload.release();
}

}  // namespace
}  // namespace gt200::model
