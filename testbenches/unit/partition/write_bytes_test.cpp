// The bytes of a write in flight that debug reads see, and that debug writes change.
#include "sc_models/partition/write_bytes.h"

#include <gtest/gtest.h>

#include <vector>

namespace gt200::model {
namespace {

using bytes = std::vector<std::uint8_t>;

struct write {
  write(bytes from, bytes enabled = {}) : data(std::move(from)), enables(std::move(enabled)) {
    payload.set_write();
    payload.set_data_ptr(data.data());
    payload.set_data_length(static_cast<unsigned>(data.size()));
    if (enables.empty()) return;
    payload.set_byte_enable_ptr(enables.data());
    payload.set_byte_enable_length(static_cast<unsigned>(enables.size()));
  }
  bytes data;
  bytes enables;
  tlm::tlm_generic_payload payload;
};

bytes shown(const write& w, std::uint64_t at, std::uint64_t offset, unsigned count) {
  bytes seen(count, 0xee);
  show_write(w.payload, at, offset, count, seen.data());
  return seen;
}

TEST(write_bytes_test, only_the_common_bytes_are_shown) {
  const write w({1, 2, 3, 4});
  EXPECT_EQ(shown(w, 10, 8, 8), (bytes{0xee, 0xee, 1, 2, 3, 4, 0xee, 0xee}));
  EXPECT_EQ(shown(w, 10, 12, 1), (bytes{3}));
  EXPECT_EQ(shown(w, 10, 14, 2), (bytes{0xee, 0xee}));
  EXPECT_EQ(shown(w, 10, 6, 4), (bytes{0xee, 0xee, 0xee, 0xee}));
}

TEST(write_bytes_test, masked_bytes_are_not_shown) {
  EXPECT_EQ(shown(write({1, 2, 3, 4}, {0xff, 0, 0, 0xff}), 10, 10, 4), (bytes{1, 0xee, 0xee, 4}));
}

TEST(write_bytes_test, pattern_of_enables_repeats) {
  EXPECT_EQ(shown(write({1, 2, 3, 4}, {0, 0xff}), 10, 10, 4), (bytes{0xee, 2, 0xee, 4}));
}

TEST(write_bytes_test, newer_bytes_replace_the_data_of_the_write) {
  write w({1, 2, 3, 4});
  renew_write(w.payload, 10, write({7, 8, 9}, {0xff, 0, 0xff}).payload, 12);
  EXPECT_EQ(w.data, (bytes{1, 2, 7, 4}));
}

}  // namespace
}  // namespace gt200::model
