// The order of accesses in a partition. A load sees the stores and atomics dispatched before it and none after it;
// the tests show which accesses wait for which. Texture loads may be stale. Debug access sees everything
// dispatched.
#include "sc_models/partition/arbiter.h"

#include <memory>

#include "sc_models/config/load.h"
#include "sc_models/partition/partition.h"
#include "testbenches/subsystem/memory/traffic.h"
#include "testbenches/support/systemc_test.h"

namespace gt200::model {
namespace {

using bytes = std::vector<std::uint8_t>;

constexpr unsigned index = 3;  // of the partition tested, of 8
constexpr std::uint64_t base = index * 256;
constexpr std::uint64_t next_block = 8 * 256;

// Partition 3 of 8 with a DRAM of fixed latency.
class partition_arbiter_test : public support::systemc_test {
 protected:
  using source_stage = support::memory_source<gpu_memory_protocol>;

  void build(const std::vector<std::string>& overrides = {"partition.dram.model=fixed_latency"},
             const tlm_bus::clocking_options& options = {}) {
    config = config::load(std::string(GT200_SOURCE_DIR) + "/configs/gt200.toml", overrides).values.partition;
    clock(options);
    const address_map map(8, 256, config::partition_hash::none);
    unit = std::make_unique<partition>("unit", uncore(), memory(), config, map, index);
    source = std::make_unique<source_stage>("source", uncore());
    source->out.bind(unit->requests());
  }
  memory_payload& texture_load_at(tlm_bus::cycle_t cycle, std::uint64_t address, unsigned count) {
    auto& p = source->load_at(cycle, address, count);
    p.extension().space = memory_space::texture;
    return p;
  }
  bytes debug_read(std::uint64_t address, unsigned count) {
    bytes data(count);
    tlm::tlm_generic_payload p;
    p.set_read();
    p.set_address(address);
    p.set_data_ptr(data.data());
    p.set_data_length(count);
    EXPECT_EQ(source->out->transport_dbg(p), count);
    return data;
  }
  void debug_write(std::uint64_t address, bytes data) {
    tlm::tlm_generic_payload p;
    p.set_write();
    p.set_address(address);
    p.set_data_ptr(data.data());
    p.set_data_length(static_cast<unsigned>(data.size()));
    EXPECT_EQ(source->out->transport_dbg(p), data.size());
  }
  void expect_nothing_left() {
    EXPECT_EQ(unit->outstanding(), 0u);
    EXPECT_EQ(source->pool.outstanding(), 0u);
  }
  // First uncore edge after memory edge `m`, and the other way round.
  tlm_bus::cycle_t uncore_after_memory(tlm_bus::cycle_t m) {
    return uncore().first_edge_after(m * memory().period());
  }
  tlm_bus::cycle_t memory_after_uncore(tlm_bus::cycle_t u) {
    return memory().first_edge_after(u * uncore().period());
  }

  config::partition_config config;
  std::unique_ptr<partition> unit;
  std::unique_ptr<source_stage> source;
};

TEST_F(partition_arbiter_test, load_takes_the_arbiters_latency_and_the_drams) {
  build();
  source->load_at(10, base, 32);
  run_until_idle();
  const auto dispatched = 10 + config.arbiter.latency_cycles;
  const auto taken_by_dram = memory_after_uncore(dispatched);
  const auto back = uncore_after_memory(taken_by_dram + config.dram.fixed_latency_cycles);
  EXPECT_EQ(source->answer_of(1).cycle, back + 1);
  EXPECT_EQ(unit->arbiter.loads.value(), 1u);
  expect_nothing_left();
}

TEST_F(partition_arbiter_test, store_is_acknowledged_when_the_rop_takes_it) {
  build();
  source->store_at(10, base, {1, 2, 3, 4});
  run_until_idle();
  EXPECT_EQ(source->answer_of(1).cycle, 10 + config.arbiter.latency_cycles + config.rop.latency_cycles + 1 + 1);
  EXPECT_EQ(debug_read(base, 4), (bytes{1, 2, 3, 4}));
  expect_nothing_left();
}

TEST_F(partition_arbiter_test, load_sees_an_older_store_and_is_held_for_it) {
  build();
  source->store_at(10, base, {1, 2, 3, 4});
  source->load_at(11, base, 8);
  run_until_idle();
  EXPECT_EQ(source->answer_of(2).data, (bytes{1, 2, 3, 4, 0, 0, 0, 0}));
  EXPECT_EQ(unit->arbiter.held_loads.value(), 1u);
  expect_nothing_left();
}

TEST_F(partition_arbiter_test, held_loads_step_aside_for_what_follows) {
  build();
  source->store_at(10, base, {1, 2, 3, 4});
  source->load_at(11, base, 8);
  source->load_at(12, base + 64, 32);
  run_until_idle();
  const auto back = uncore_after_memory(memory_after_uncore(12 + config.arbiter.latency_cycles) +
                                        config.dram.fixed_latency_cycles);
  EXPECT_EQ(source->answer_of(3).cycle, back + 1) << "as if nothing were held";
  EXPECT_GT(source->answer_of(2).cycle, source->answer_of(3).cycle);
  EXPECT_EQ(source->answer_of(2).data, (bytes{1, 2, 3, 4, 0, 0, 0, 0}));
  expect_nothing_left();
}

TEST_F(partition_arbiter_test, without_room_held_loads_hold_what_follows) {
  build({"partition.dram.model=fixed_latency", "partition.arbiter.held_loads=0"});
  source->store_at(10, base, {1, 2, 3, 4});
  source->load_at(11, base, 8);
  source->load_at(12, base + 64, 32);
  run_until_idle();
  EXPECT_GT(source->answer_of(3).cycle, source->answer_of(2).cycle);
  EXPECT_EQ(source->answer_of(2).data, (bytes{1, 2, 3, 4, 0, 0, 0, 0}));
}

TEST_F(partition_arbiter_test, held_load_does_not_see_a_younger_store_to_its_bytes) {
  build();
  source->store_at(10, base, {1, 2, 3, 4});
  source->load_at(11, base, 4);
  source->store_at(12, base, {5, 6, 7, 8});
  source->load_at(13, base, 4);
  run_until_idle();
  EXPECT_EQ(source->answer_of(2).data, (bytes{1, 2, 3, 4}));
  EXPECT_EQ(source->answer_of(4).data, (bytes{5, 6, 7, 8}));
  EXPECT_EQ(unit->arbiter.held_writes.value(), 1u);
  expect_nothing_left();
}

TEST_F(partition_arbiter_test, load_of_another_sector_is_not_held) {
  build();
  source->store_at(10, base, {1, 2, 3, 4});
  source->load_at(11, base + 32, 32);
  run_until_idle();
  EXPECT_EQ(unit->arbiter.held_loads.value(), 0u);
  const auto back = uncore_after_memory(memory_after_uncore(11 + config.arbiter.latency_cycles) +
                                        config.dram.fixed_latency_cycles);
  EXPECT_EQ(source->answer_of(2).cycle, back + 1);
}

TEST_F(partition_arbiter_test, load_does_not_see_a_younger_store) {
  build();
  source->load_at(10, base, 4);
  source->store_at(11, base, {1, 2, 3, 4});
  run_until_idle();
  EXPECT_EQ(source->answer_of(1).data, (bytes{0, 0, 0, 0}));
}

TEST_F(partition_arbiter_test, load_sees_older_atomics) {
  build();
  for (unsigned i = 0; i < 3; ++i) source->atomic_at(10 + i, base, atomic_operation::add, 5);
  source->load_at(13, base, 4);
  run_until_idle();
  EXPECT_EQ(source->answer_of(4).data, (bytes{15, 0, 0, 0}));
  EXPECT_EQ(source->answer_of(3).data[0], 10) << "the old value";
  expect_nothing_left();
}

TEST_F(partition_arbiter_test, atomic_sees_older_stores) {
  build();
  source->store_at(10, base, {7, 0, 0, 0});
  source->atomic_at(11, base, atomic_operation::add, 1);
  source->store_at(12, base + 4, {9});
  source->load_at(13, base, 8);
  run_until_idle();
  EXPECT_EQ(source->answer_of(2).data[0], 7);
  EXPECT_EQ(source->answer_of(4).data, (bytes{8, 0, 0, 0, 9, 0, 0, 0}));
}

TEST_F(partition_arbiter_test, texture_load_fetches_a_line_and_may_be_stale_until_invalidated) {
  build();
  texture_load_at(10, base, 32);
  source->store_at(300, base, {9});
  texture_load_at(500, base, 4);
  texture_load_at(1001, base, 4);
  run_through(1000, uncore());
  EXPECT_EQ(source->answer_of(3).data[0], 0) << "stale";
  unit->texture_l2_control()->invalidate();
  run_until_idle();
  EXPECT_EQ(source->answer_of(4).data[0], 9);
  EXPECT_EQ(unit->arbiter.texture_loads.value(), 3u);
  EXPECT_EQ(unit->texture_l2.hits.value(), 1u);
  expect_nothing_left();
}

// The texture L2 is addressed within the partition: its lines are blocks of the interleave.
TEST_F(partition_arbiter_test, texture_lines_of_different_blocks_are_different) {
  build();
  debug_write(base, {1});
  debug_write(base + next_block, {2});
  texture_load_at(10, base, 4);
  texture_load_at(11, base + next_block, 4);
  run_until_idle();
  EXPECT_EQ(source->answer_of(1).data[0], 1);
  EXPECT_EQ(source->answer_of(2).data[0], 2);
}

TEST_F(partition_arbiter_test, cache_fills_go_to_the_dram_like_loads) {
  build();
  debug_write(base, {1, 2, 3});
  auto& p = source->load_at(10, base, 256);
  p.extension().kind = memory_kind::fill;
  p.extension().space = memory_space::instruction;
  run_until_idle();
  EXPECT_EQ(source->answer_of(1).data[2], 3);
  EXPECT_EQ(unit->texture_l2.misses.value(), 0u);
}

TEST_F(partition_arbiter_test, debug_read_sees_a_store_from_its_dispatch_on) {
  build();
  source->store_at(10, base, {1, 2, 3, 4});
  const auto dispatched = 10 + config.arbiter.latency_cycles;
  run_through(dispatched - 1, uncore());
  EXPECT_EQ(debug_read(base, 4), (bytes{0, 0, 0, 0})) << "no place in the order yet";
  for (unsigned later = 0; later < 60; ++later) {
    run_through(dispatched + later, uncore());
    EXPECT_EQ(debug_read(base, 4), (bytes{1, 2, 3, 4})) << later << " cycles later";
  }
}

// The DRAM rarely takes a command, so that writes wait in every queue on their way to it.
const std::vector<std::string> slow_dram = {"partition.dram.timing.t_rcd_write=200",
                                            "partition.dram.queue_entries=1"};

TEST_F(partition_arbiter_test, debug_read_sees_an_atomic_from_its_answer_on) {
  build(slow_dram);
  unsigned answered = 0;
  source->on_answer = [&](memory_payload& p) {
    if (p.extension().kind != memory_kind::atomic) return;
    ++answered;
    EXPECT_EQ(debug_read(p.get_address(), 4), (bytes{5, 0, 0, 0})) << answered;
  };
  for (unsigned i = 0; i < 12; ++i) {
    source->atomic_at(10 + 2 * i, base + 8 * i * next_block, atomic_operation::add, 5);
    source->store_at(11 + 2 * i, base + (8 * i + 4) * next_block, {1});
  }
  run_until_idle();
  EXPECT_EQ(answered, 12u);
  expect_nothing_left();
}

TEST_F(partition_arbiter_test, debug_write_comes_after_what_has_been_acknowledged) {
  build(slow_dram);
  source->on_answer = [&](memory_payload& p) { debug_write(p.get_address() + 1, {9}); };
  const auto stored = [](unsigned i) { return base + 4 * i * next_block; };
  const auto counted = [](unsigned i) { return base + (4 * i + 2) * next_block; };
  for (unsigned i = 0; i < 12; ++i) {
    source->store_at(10 + 2 * i, stored(i), {1, 2, 3, 4});
    source->atomic_at(11 + 2 * i, counted(i), atomic_operation::add, 0x01010105);
  }
  // Merged with the first one while both wait; the debug write that follows is the one that stays.
  source->store_at(40, stored(11) + 2, {6});
  run_until_idle();
  for (unsigned i = 0; i < 12; ++i) {
    EXPECT_EQ(debug_read(stored(i), 4), (i == 11 ? bytes{1, 9, 6, 9} : bytes{1, 9, 3, 4})) << i;
    EXPECT_EQ(debug_read(counted(i), 4), (bytes{5, 9, 1, 1})) << i;
  }
  expect_nothing_left();
}

TEST_F(partition_arbiter_test, texture_fill_sees_older_stores_that_wait_in_the_rop) {
  build(slow_dram);
  for (unsigned i = 0; i < 10; ++i) source->store_at(10 + i, base + i * next_block, {7});
  texture_load_at(80, base + 9 * next_block, 4);
  run_until_idle();
  EXPECT_EQ(source->answer_of(11).data[0], 7);
  expect_nothing_left();
}

TEST_F(partition_arbiter_test, debug_access_outside_the_partition_is_refused) {
  build();
  tlm::tlm_generic_payload p;
  std::uint8_t byte = 0;
  p.set_read();
  p.set_data_ptr(&byte);
  p.set_data_length(1);
  for (const std::uint64_t address : {std::uint64_t{0}, base + config.dram.capacity_bytes() * 8}) {
    p.set_address(address);
    EXPECT_EQ(source->out->transport_dbg(p), 0u);
  }
  run_through(1, uncore());
}

TEST_F(partition_arbiter_test, access_beyond_the_capacity_is_answered_with_an_error) {
  build();
  const std::uint64_t outside = base + config.dram.capacity_bytes() * 8;
  source->load_at(10, outside, 4);
  source->store_at(11, outside, {1});
  texture_load_at(12, outside, 4);
  run_until_idle();
  for (std::uint64_t id = 1; id <= 3; ++id)
    EXPECT_EQ(source->answer_of(id).status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(unit->arbiter.address_errors.value(), 3u);
  expect_nothing_left();
}

TEST_F(partition_arbiter_test, observer_sees_each_access_once_at_its_dispatch) {
  build();
  class recorder : public order_observer {
   public:
    void performed(const tlm::tlm_generic_payload& access, unsigned partition, tlm_bus::femtoseconds at) override {
      EXPECT_EQ(partition, index);
      const auto* extension = access.get_extension<memory_extension>();
      seen.push_back({extension->transaction_id, access.get_address(), at / support::uncore_period});
    }
    struct entry {
      std::uint64_t id, address, cycle;
      bool operator==(const entry& o) const { return id == o.id && address == o.address && cycle == o.cycle; }
    };
    std::vector<entry> seen;
  } observer;
  unit->arbiter.observers().attach(observer);
  source->store_at(10, base + 64, {1});
  source->load_at(11, base + next_block, 32);
  source->atomic_at(12, base, atomic_operation::add, 1);
  run_until_idle();
  const std::uint64_t first = 10 + config.arbiter.latency_cycles;
  EXPECT_EQ(observer.seen, (std::vector<recorder::entry>{
                               {1, base + 64, first}, {2, base + next_block, first + 1}, {3, base, first + 2}}));
}

// 32-byte loads at the full rate of the data bus: 2 memory cycles each.
TEST_F(partition_arbiter_test, loads_reach_the_rate_of_the_dram) {
  build();
  constexpr unsigned count = 1000;
  for (unsigned i = 0; i < count; ++i) source->load_at(10, base + i / 8 * next_block + i % 8 * 32, 32);
  run_until_idle();
  const double seconds =
      static_cast<double>((source->answers.back().cycle - source->answers.front().cycle) * uncore().period());
  const double at_full_rate = static_cast<double>(2 * (count - 1) * memory().period());
  EXPECT_LT(seconds / at_full_rate, 1.02);
  EXPECT_GE(seconds / at_full_rate, 0.99);
}

}  // namespace
}  // namespace gt200::model
