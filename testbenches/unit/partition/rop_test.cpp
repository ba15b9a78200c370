// Stores are acknowledged when taken and written afterwards. Atomics read, compute and write; they exclude each
// other only on the same 32 bytes.
#include "sc_models/partition/rop.h"

#include <memory>

#include "sc_models/partition/rop_ticket.h"
#include "testbenches/subsystem/memory/traffic.h"
#include "testbenches/support/systemc_test.h"
#include "tlm_bus/protocol_checker.h"

namespace gt200::model {
namespace {

using support::asked;

constexpr unsigned rop_latency = 6;
constexpr unsigned memory_latency = 30;
constexpr unsigned write_path_bytes = 16;

class rop_test : public support::systemc_test {
 protected:
  void build(unsigned interval = 1, unsigned entries = 8, const tlm_bus::clocking_options& options = {},
             unsigned same_address_interval = 1) {
    config::rop_config config;
    config.latency_cycles = rop_latency;
    config.queue_entries = entries;
    config.write_path_bytes = write_path_bytes;
    config.write_out_bytes = write_out_bytes;
    config.atomic_interval_cycles = interval;
    config.same_address_interval_cycles = same_address_interval;
    clock(options);
    unit = std::make_unique<rop>("unit", uncore(), config, memory().period());
    source = std::make_unique<support::memory_source<gpu_memory_protocol>>("source", uncore());
    backing = std::make_unique<support::fixed_latency_memory<tlm_bus::base_protocol>>("backing", uncore(),
                                                                                      memory_latency);
    source->out.bind(unit->requests);
    unit->memory.bind(backing->in);
  }
  std::uint32_t word_at(std::uint64_t address) {
    std::uint32_t word = 0;
    for (unsigned i = 0; i < 4; ++i) word |= std::uint32_t{backing->bytes[address + i]} << (8 * i);
    return word;
  }
  std::uint32_t old_value(std::uint64_t id) const {
    const auto& data = source->answer_of(id).data;
    return data[0] | data[1] << 8 | data[2] << 16 | static_cast<std::uint32_t>(data[3]) << 24;
  }
  void expect_nothing_left() {
    EXPECT_EQ(unit->outstanding(), 0u);
    EXPECT_EQ(source->pool.outstanding(), 0u);
  }

  unsigned write_out_bytes = 128;
  std::unique_ptr<rop> unit;
  std::unique_ptr<support::memory_source<gpu_memory_protocol>> source;
  std::unique_ptr<support::fixed_latency_memory<tlm_bus::base_protocol>> backing;
};

TEST_F(rop_test, store_is_acknowledged_when_taken_and_written_afterwards) {
  build();
  source->store_at(10, 64, {1, 2, 3, 4});
  run_until_idle();
  EXPECT_EQ(source->answer_of(1).cycle, 10 + rop_latency + 1);
  EXPECT_EQ(backing->requests, (std::vector<asked>{{10 + rop_latency + 2, tlm::TLM_WRITE_COMMAND, 64, 4}}));
  EXPECT_EQ(word_at(64), 0x04030201u);
  expect_nothing_left();
}

TEST_F(rop_test, stores_take_a_cycle_per_width_of_the_write_path) {
  build();
  source->store_at(10, 0, std::vector<std::uint8_t>(32, 1));
  source->store_at(11, 256, std::vector<std::uint8_t>(128, 2));
  source->store_at(12, 512, {3, 4, 5, 6});
  source->store_at(13, 768, {7, 8, 9, 10});
  run_until_idle();
  const tlm_bus::cycle_t first = 10 + rop_latency;
  EXPECT_EQ(source->answer_of(1).cycle, first + 1);
  EXPECT_EQ(source->answer_of(2).cycle, first + 2 + 1);
  EXPECT_EQ(source->answer_of(3).cycle, first + 2 + 8 + 1);
  EXPECT_EQ(source->answer_of(4).cycle, first + 2 + 8 + 1 + 1);
}

TEST_F(rop_test, writes_leave_at_the_width_of_the_way_out) {
  write_out_bytes = 8;
  build(1, 16);
  for (unsigned i = 0; i < 11; ++i) source->store_at(10, 256 * i, std::vector<std::uint8_t>(128, 1));
  run_until_idle();
  ASSERT_EQ(backing->requests.size(), 11u);
  const double cycles = 10 * 16.0 * support::memory_period / support::uncore_period;
  EXPECT_NEAR(static_cast<double>(backing->requests[10].cycle - backing->requests[0].cycle), cycles, 1);
}

TEST_F(rop_test, data_of_an_acknowledged_store_is_the_rops_own) {
  build();
  backing->takes = [](tlm_bus::cycle_t c) { return c > 100; };
  source->on_answer = [](memory_payload& p) { p.bytes()[0] = 0xee; };
  source->store_at(10, 64, {1, 2, 3, 4});
  run_until_idle();
  EXPECT_LT(source->answer_of(1).cycle, 100u);
  EXPECT_EQ(word_at(64), 0x04030201u);
}

TEST_F(rop_test, byte_enables_go_along) {
  build();
  auto& p = source->store_at(10, 64, {1, 2, 3, 4});
  p.use_byte_enables();
  p.enables()[1] = 0xff;
  run_until_idle();
  EXPECT_EQ(word_at(64), 0x00000200u);
}

TEST_F(rop_test, stores_pass_at_one_per_cycle) {
  build();
  for (unsigned i = 0; i < 40; ++i) source->store_at(10, i * 32, {1});
  run_until_idle();
  EXPECT_EQ(source->answers.back().cycle, 10 + 39 + rop_latency + 1);
  EXPECT_EQ(backing->requests.back().cycle, 10 + 39 + rop_latency + 2);
}

TEST_F(rop_test, atomic_reads_and_writes_memory_and_returns_the_old_value) {
  build();
  backing->bytes[64] = 5;
  source->atomic_at(10, 64, atomic_operation::add, 7);
  run_until_idle();
  const tlm_bus::cycle_t read = 10 + rop_latency + 2;
  const tlm_bus::cycle_t write = read + memory_latency + 2;
  EXPECT_EQ(backing->requests,
            (std::vector<asked>{{read, tlm::TLM_READ_COMMAND, 64, 4}, {write, tlm::TLM_WRITE_COMMAND, 64, 4}}));
  EXPECT_EQ(word_at(64), 12u);
  EXPECT_EQ(old_value(1), 5u);
  EXPECT_EQ(source->answer_of(1).cycle, write);
  expect_nothing_left();
}

TEST_F(rop_test, compare_and_swap_takes_both_operands) {
  build();
  backing->bytes[64] = 5;
  source->atomic_at(10, 64, atomic_operation::cas, 4, 100);
  source->atomic_at(11, 64, atomic_operation::cas, 5, 200);
  run_until_idle();
  EXPECT_EQ(old_value(1), 5u);
  EXPECT_EQ(old_value(2), 5u);
  EXPECT_EQ(word_at(64), 200u);
}

TEST_F(rop_test, wide_atomics_work_on_8_bytes) {
  build();
  for (unsigned i = 0; i < 4; ++i) backing->bytes[64 + i] = 0xff;
  source->atomic_at(10, 64, atomic_operation::add, 1).extension().wide = true;
  run_until_idle();
  EXPECT_EQ(word_at(64), 0u);
  EXPECT_EQ(word_at(68), 1u);
  EXPECT_EQ(backing->requests[0].bytes, 8u);
}

TEST_F(rop_test, atomics_on_different_sectors_overlap) {
  build(1, 16);
  for (unsigned i = 0; i < 8; ++i) source->atomic_at(10, i * 32, atomic_operation::add, 1);
  run_until_idle();
  EXPECT_EQ(source->answers.back().cycle, source->answers.front().cycle + 7);
  EXPECT_EQ(unit->atomic_conflicts.value(), 0u);
}

TEST_F(rop_test, results_keep_the_interval) {
  build(5, 16);
  for (unsigned i = 0; i < 8; ++i) source->atomic_at(10, i * 32, atomic_operation::add, 1);
  run_until_idle();
  EXPECT_EQ(source->answers.back().cycle, source->answers.front().cycle + 7 * 5);
}

TEST_F(rop_test, atomics_on_one_sector_wait_for_each_other) {
  build(1, 16);
  for (unsigned i = 0; i < 8; ++i) source->atomic_at(10, 64 + i % 4 * 4, atomic_operation::add, 1);
  for (unsigned i = 0; i < 8; ++i) source->atomic_at(10, 64, atomic_operation::add, 1);
  run_until_idle();
  EXPECT_EQ(word_at(64), 10u);
  for (std::uint64_t id = 9; id <= 16; ++id) EXPECT_EQ(old_value(id), id - 9 + 2);
  // A read cannot be sent before the write of the one before: a round trip each.
  EXPECT_GE(source->answers.back().cycle, source->answers.front().cycle + 15 * (memory_latency + 2));
  EXPECT_EQ(unit->atomic_conflicts.value(), 15u);
  expect_nothing_left();
}

TEST_F(rop_test, accesses_to_one_sector_keep_the_interval_from_a_result) {
  constexpr unsigned interval = 100;
  build(1, 16, {}, interval);
  source->atomic_at(10, 64, atomic_operation::add, 1);
  source->atomic_at(11, 68, atomic_operation::add, 2);
  source->store_at(12, 72, {3, 0, 0, 0});
  source->atomic_at(13, 256, atomic_operation::add, 4);
  run_until_idle();
  // Read and write of each atomic, in order; the last one is of another sector, but stands behind the store.
  ASSERT_EQ(backing->requests.size(), 7u);
  EXPECT_EQ(backing->requests[2].cycle, backing->requests[1].cycle + interval);
  EXPECT_EQ(backing->requests[4].cycle, backing->requests[3].cycle + interval);
  EXPECT_LE(backing->requests[5].cycle, backing->requests[4].cycle + 1);
  EXPECT_EQ(word_at(64), 1u);
  EXPECT_EQ(word_at(68), 2u);
  EXPECT_EQ(word_at(72), 3u);
  EXPECT_EQ(word_at(256), 4u);
  expect_nothing_left();
}

TEST_F(rop_test, store_waits_for_an_older_atomic_on_its_sector) {
  build();
  source->atomic_at(10, 64, atomic_operation::add, 7);
  source->store_at(11, 64, {1, 0, 0, 0});
  source->atomic_at(12, 64, atomic_operation::add, 1);
  run_until_idle();
  EXPECT_EQ(old_value(1), 0u);
  EXPECT_EQ(old_value(3), 1u);
  EXPECT_EQ(word_at(64), 2u);
}

TEST_F(rop_test, writes_carry_the_ticket_of_their_request) {
  build();
  class tickets : public tlm_bus::memory_observer {
   public:
    void phase(const sc_core::sc_object&, tlm_bus::femtoseconds, const tlm::tlm_generic_payload& p,
               tlm::tlm_phase_enum phase) override {
      if (phase == tlm::BEGIN_REQ && p.is_write()) seen.push_back(ticket_of(p));
    }
    std::vector<rop_ticket> seen;
  } observer;
  unit->memory.observers().attach(observer);
  set_ticket(source->store_at(10, 0, {1}).extension(), rop_ticket{17});
  set_ticket(source->atomic_at(11, 64, atomic_operation::add, 1).extension(), rop_ticket{23});
  run_until_idle();
  EXPECT_EQ(observer.seen, (std::vector<rop_ticket>{rop_ticket{17}, rop_ticket{23}}));
}

TEST_F(rop_test, stores_are_not_taken_when_the_queue_is_full) {
  build(1, 4);
  backing->takes = [](tlm_bus::cycle_t c) { return c > 200; };
  for (unsigned i = 0; i < 30; ++i) source->store_at(10, i * 128, {1});
  run_through(150, uncore());
  // Four in the queue, two in the port of the memory and one begun there.
  EXPECT_EQ(source->answers.size(), 4u + 2u + 1u);
  run_until_idle();
  EXPECT_EQ(source->answers.size(), 30u);
  expect_nothing_left();
}

// -- merging: the memory takes nothing until cycle 100, so that stores wait --

class rop_merging_test : public rop_test {
 protected:
  void build_waiting() {
    build();
    backing->takes = [](tlm_bus::cycle_t c) { return c > 100; };
    for (unsigned i = 0; i < blocking_stores; ++i) source->store_at(1 + i, 0x10000 + i * 128, {1});
  }
  // The requests to the memory after the blocking stores.
  std::vector<asked> requests() const {
    std::vector<asked> result(backing->requests.begin() + blocking_stores, backing->requests.end());
    for (asked& a : result) a.cycle = 0;
    return result;
  }
  static constexpr unsigned blocking_stores = 3;  // they fill the port of the memory
};

TEST_F(rop_merging_test, words_of_a_sector_become_one_write) {
  build_waiting();
  for (unsigned i = 0; i < 8; ++i)
    source->store_at(20 + i, 64 + 4 * i, {static_cast<std::uint8_t>(i), 0x11, 0x22, 0x33});
  run_until_idle();
  EXPECT_EQ(requests(), (std::vector<asked>{{0, tlm::TLM_WRITE_COMMAND, 64, 32}}));
  for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(word_at(64 + 4 * i), 0x33221100u + i);
  EXPECT_EQ(unit->merged_stores.value(), 7u);
  expect_nothing_left();
}

TEST_F(rop_merging_test, halves_of_a_block_become_one_write_in_any_order) {
  build_waiting();
  source->store_at(20, 192, std::vector<std::uint8_t>(64, 2));
  source->store_at(21, 128, std::vector<std::uint8_t>(64, 1));
  run_until_idle();
  EXPECT_EQ(requests(), (std::vector<asked>{{0, tlm::TLM_WRITE_COMMAND, 128, 128}}));
  EXPECT_EQ(word_at(188), 0x01010101u);
  EXPECT_EQ(word_at(192), 0x02020202u);
}

TEST_F(rop_merging_test, younger_bytes_win_and_bytes_without_enable_stay) {
  build_waiting();
  backing->fill(64, 32, 0x77);
  const std::uint32_t before = word_at(72);
  source->store_at(20, 64, {1, 2, 3, 4});
  auto& p = source->store_at(21, 64, {5, 6, 7, 8});
  p.use_byte_enables();
  p.enables()[2] = 0xff;
  source->store_at(22, 76, {9, 9, 9, 9});
  run_until_idle();
  EXPECT_EQ(requests().size(), 1u);
  EXPECT_EQ(word_at(64), 0x04070201u);
  EXPECT_EQ(word_at(72), before);
  EXPECT_EQ(word_at(76), 0x09090909u);
}

TEST_F(rop_merging_test, a_gap_of_a_sector_keeps_stores_apart) {
  build_waiting();
  source->store_at(20, 0, {1, 1, 1, 1});
  source->store_at(21, 64, {2, 2, 2, 2});
  run_until_idle();
  EXPECT_EQ(requests().size(), 2u);
}

TEST_F(rop_merging_test, blocks_are_kept_apart) {
  build_waiting();
  source->store_at(20, 96, std::vector<std::uint8_t>(32, 1));
  source->store_at(21, 128, std::vector<std::uint8_t>(32, 2));
  run_until_idle();
  EXPECT_EQ(requests().size(), 2u);
}

TEST_F(rop_merging_test, no_store_is_merged_across_an_atomic) {
  build_waiting();
  source->store_at(20, 64, {1, 0, 0, 0});
  source->atomic_at(21, 64, atomic_operation::add, 1);
  source->store_at(22, 64, {7, 0, 0, 0});
  run_until_idle();
  EXPECT_EQ(old_value(blocking_stores + 2), 1u);
  EXPECT_EQ(word_at(64), 7u);
  EXPECT_EQ(unit->merged_stores.value(), 0u);
}

TEST_F(rop_merging_test, a_store_that_finds_no_entry_can_still_be_merged) {
  build(1, 2);
  backing->takes = [](tlm_bus::cycle_t c) { return c > 100; };
  for (unsigned i = 0; i < blocking_stores + 2; ++i) source->store_at(1 + i, i * 128, {1});
  source->store_at(20, (blocking_stores + 1) * 128 + 4, {2});
  run_through(90, uncore());
  EXPECT_EQ(source->answers.size(), blocking_stores + 3);
}

TEST_F(rop_test, atomic_without_its_operands_is_a_broken_model) {
  build();
  auto& p = source->atomic_at(10, 64, atomic_operation::cas, 4, 100);
  p.prepare(tlm::TLM_WRITE_COMMAND, 64, 4);
  EXPECT_NE(error_of_run_through(60).find("malformed atomic"), std::string::npos);
}

}  // namespace
}  // namespace gt200::model
