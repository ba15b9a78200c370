// Which fill an L1 data cache may answer a load with, and what the load then has.
#include "observe/checker/l1_contents.h"

#include <gtest/gtest.h>

#include <numeric>

#include "sc_models/ids.h"
#include "sc_models/memory_transaction.h"

namespace gt200::observe {
namespace {

constexpr unsigned line_bytes = 128;

class l1_contents_test : public ::testing::Test {
 protected:
  l1_contents_test() { std::iota(memory.begin(), memory.end(), std::uint8_t{0}); }
  model::memory_payload& transaction(std::uint64_t address, unsigned bytes, model::memory_kind kind,
                                     std::uint64_t id = 0, std::uint8_t tpc = 3) {
    model::memory_payload& p = pool.get();
    p.prepare(kind == model::memory_kind::store ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, address, bytes);
    p.extension().kind = kind;
    p.extension().tpc = tpc;
    p.extension().transaction_id = id;
    payloads.push_back(&p);
    return p;
  }
  const model::memory_payload& load(std::uint64_t address, std::uint8_t tpc = 3) {
    return transaction(address, 4, model::memory_kind::load, 0, tpc);
  }
  static std::uint64_t fill(unsigned number) { return model::id_base(model::id_kind::data_cache, 3) + number; }
  // The fill is performed; returns the loads that waited for it.
  std::vector<const tlm::tlm_generic_payload*> perform(std::uint64_t id, std::uint64_t line) {
    std::vector<const tlm::tlm_generic_payload*> served;
    contents.performed(transaction(line, line_bytes, model::memory_kind::fill, id), memory.data(),
                       [&](const tlm::tlm_generic_payload& waiting, const l1_contents::content& held) {
                         served.push_back(&waiting);
                         EXPECT_EQ(*held.at(line + 5), 5);
                       });
    return served;
  }
  ~l1_contents_test() override {
    for (auto* p : payloads) p->release();
  }

  model::payload_pool pool;
  std::vector<model::memory_payload*> payloads;
  std::array<std::uint8_t, line_bytes> memory{};
  l1_contents contents{line_bytes};
};

TEST_F(l1_contents_test, loads_wait_until_their_fill_is_performed) {
  const auto& first = load(256);
  const auto& second = load(300);
  EXPECT_EQ(contents.look_up(first, fill(1)), nullptr);
  EXPECT_EQ(contents.look_up(second, fill(1)), nullptr);
  EXPECT_EQ(perform(fill(1), 256), (std::vector<const tlm::tlm_generic_payload*>{&first, &second}));
  const l1_contents::content* held = contents.look_up(load(260), fill(1));
  ASSERT_NE(held, nullptr);
  EXPECT_EQ(*held->at(260), 4);
}

TEST_F(l1_contents_test, a_line_keeps_what_memory_held_when_it_was_fetched) {
  contents.look_up(load(256), fill(1));
  perform(fill(1), 256);
  memory[4] = 0xee;
  EXPECT_EQ(*contents.look_up(load(260), fill(1))->at(260), 4);
}

TEST_F(l1_contents_test, a_line_that_a_store_has_dropped_answers_no_load) {
  contents.look_up(load(256), fill(1));
  perform(fill(1), 256);
  contents.evicted(transaction(300, 4, model::memory_kind::store));
  EXPECT_THROW(contents.look_up(load(256), fill(1)), difference_found);
}

TEST_F(l1_contents_test, a_line_in_flight_that_a_store_has_dropped_answers_only_earlier_loads) {
  const auto& before = load(256);
  contents.look_up(before, fill(1));
  contents.evicted(transaction(256, 4, model::memory_kind::store));
  EXPECT_THROW(contents.look_up(load(256), fill(1)), difference_found);
  EXPECT_EQ(perform(fill(1), 256), (std::vector<const tlm::tlm_generic_payload*>{&before}));
}

TEST_F(l1_contents_test, a_store_of_another_tpc_drops_nothing) {
  contents.look_up(load(256), fill(1));
  perform(fill(1), 256);
  contents.evicted(transaction(256, 4, model::memory_kind::store, 0, 4));
  EXPECT_NE(contents.look_up(load(256), fill(1)), nullptr);
}

TEST_F(l1_contents_test, a_younger_fill_takes_the_place_of_an_older_one) {
  contents.look_up(load(256), fill(1));
  perform(fill(1), 256);
  contents.look_up(load(256), fill(2));
  EXPECT_THROW(contents.look_up(load(256), fill(1)), difference_found);
}

TEST_F(l1_contents_test, a_line_of_an_earlier_launch_answers_no_load) {
  contents.look_up(load(256), fill(1));
  perform(fill(1), 256);
  contents.begin_launch();
  EXPECT_THROW(contents.look_up(load(256), fill(1)), difference_found);
}

TEST_F(l1_contents_test, a_fill_of_another_line_answers_no_load) {
  contents.look_up(load(256), fill(1));
  EXPECT_THROW(contents.look_up(load(384), fill(1)), difference_found);
}

TEST_F(l1_contents_test, a_fill_that_no_load_began_is_a_difference) {
  EXPECT_THROW(perform(fill(1), 256), difference_found);
}

}  // namespace
}  // namespace gt200::observe
