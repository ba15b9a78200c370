// The stores and atomics between the arbiter and the DRAM: which accesses they block, and what debug access sees of
// them.
#include "sc_models/partition/pending_writes.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace gt200::model {
namespace {

struct store_data {
  explicit store_data(const std::vector<std::uint8_t>& data) : bytes(data), enables(data.size(), 0xff) {
    payload.set_data_ptr(bytes.data());
    payload.set_data_length(static_cast<unsigned>(bytes.size()));
  }
  void use_enables() {
    payload.set_byte_enable_ptr(enables.data());
    payload.set_byte_enable_length(static_cast<unsigned>(enables.size()));
  }
  std::vector<std::uint8_t> bytes;
  std::vector<std::uint8_t> enables;
  tlm::tlm_generic_payload payload;
};

// What finishing an entry releases.
std::vector<tlm::tlm_generic_payload*> finish(pending_writes& pending, rop_ticket index) {
  std::vector<tlm::tlm_generic_payload*> released;
  pending.finished(index, [&](tlm::tlm_generic_payload& data) { released.push_back(&data); });
  return released;
}

TEST(pending_writes_test, conflict_is_a_common_sector_of_32_bytes) {
  pending_writes pending(4);
  pending.add(100, 4, nullptr);  // sector 3
  EXPECT_TRUE(pending.conflicts(96, 1));
  EXPECT_TRUE(pending.conflicts(127, 1));
  EXPECT_TRUE(pending.conflicts(0, 128));
  EXPECT_FALSE(pending.conflicts(64, 32));
  EXPECT_FALSE(pending.conflicts(128, 128));
}

TEST(pending_writes_test, write_on_its_way_to_the_dram_no_longer_conflicts) {
  pending_writes pending(4);
  const rop_ticket first = pending.add(0, 128, nullptr);
  const rop_ticket second = pending.add(0, 32, nullptr);
  pending.sent(first, 0, 128);
  EXPECT_TRUE(pending.conflicts(0, 32)) << "the second";
  EXPECT_FALSE(pending.conflicts(32, 96));
  pending.sent(second, 0, 32);
  EXPECT_FALSE(pending.conflicts(0, 32));
}

TEST(pending_writes_test, overlay_shows_stores_in_order_and_only_enabled_bytes) {
  pending_writes pending(4);
  store_data older({1, 2, 3, 4});
  store_data younger({0x11, 0x12, 0x13, 0x14});
  younger.enables = {0, 0xff, 0, 0};
  younger.use_enables();
  pending.add(10, 4, &older.payload);
  pending.add(10, 4, nullptr);  // an atomic shows nothing
  pending.add(11, 4, &younger.payload);
  std::vector<std::uint8_t> seen(8, 0xee);
  pending.overlay(8, 8, seen.data());
  EXPECT_EQ(seen, (std::vector<std::uint8_t>{0xee, 0xee, 1, 2, 0x12, 4, 0xee, 0xee}));
}

TEST(pending_writes_test, newer_bytes_become_the_data_of_pending_stores) {
  pending_writes pending(4);
  store_data store({1, 2, 3, 4});
  store_data newer({8, 9});
  newer.enables = {0, 0xff};
  newer.use_enables();
  pending.add(10, 4, &store.payload);
  pending.renew(11, newer.payload);
  EXPECT_EQ(store.bytes, (std::vector<std::uint8_t>{1, 2, 9, 4}));
}

TEST(pending_writes_test, data_is_shown_until_the_dram_has_it) {
  pending_writes pending(4);
  store_data data({7});
  const rop_ticket index = pending.add(0, 1, &data.payload);
  pending.sent(index, 0, 1);
  std::uint8_t seen = 0;
  pending.overlay(0, 1, &seen);
  EXPECT_EQ(seen, 7);
  EXPECT_EQ(finish(pending, index), (std::vector<tlm::tlm_generic_payload*>{&data.payload}));
  seen = 0;
  pending.overlay(0, 1, &seen);
  EXPECT_EQ(seen, 0);
  EXPECT_TRUE(pending.empty());
}

TEST(pending_writes_test, merged_stores_are_sent_and_finished_with_the_youngest_of_them) {
  pending_writes pending(8);
  store_data first({1});
  store_data elsewhere({2});
  store_data second({3});
  store_data after({4});
  pending.add(0, 1, &first.payload);
  const rop_ticket other = pending.add(128, 1, &elsewhere.payload);
  const rop_ticket youngest = pending.add(33, 1, &second.payload);
  const rop_ticket later = pending.add(1, 1, &after.payload);
  pending.sent(youngest, 0, 34);
  EXPECT_TRUE(pending.conflicts(0, 32)) << "the one that came later";
  EXPECT_FALSE(pending.conflicts(32, 32));
  EXPECT_TRUE(pending.conflicts(128, 32));
  EXPECT_EQ(finish(pending, youngest), (std::vector<tlm::tlm_generic_payload*>{&first.payload, &second.payload}));
  pending.sent(other, 128, 1);
  pending.sent(later, 1, 1);
  finish(pending, other);
  finish(pending, later);
  EXPECT_TRUE(pending.empty());
}

TEST(pending_writes_test, room_comes_back_in_order_of_arrival) {
  pending_writes pending(2);
  const rop_ticket first = pending.add(0, 1, nullptr);
  const rop_ticket second = pending.add(64, 1, nullptr);
  EXPECT_TRUE(pending.full());
  EXPECT_THROW(pending.add(128, 1, nullptr), std::logic_error);
  pending.sent(second, 64, 1);
  finish(pending, second);
  EXPECT_TRUE(pending.full());
  pending.sent(first, 0, 1);
  finish(pending, first);
  EXPECT_TRUE(pending.empty());
}

TEST(pending_writes_test, finishing_before_sending_is_a_broken_model) {
  pending_writes pending(2);
  const rop_ticket index = pending.add(0, 1, nullptr);
  EXPECT_THROW(finish(pending, index), std::logic_error);
  pending.sent(index, 0, 1);
  EXPECT_THROW(pending.sent(index, 0, 1), std::logic_error);
}

}  // namespace
}  // namespace gt200::model
