// The transactions of an access in exact cycles: order, lanes, passes and physical addresses. The coalescing rules
// have a test of their own (coalescing_test.cpp).
#include "sc_models/memory_path/coalescer.h"

#include <gtest/gtest.h>

#include <functional>

#include "testbenches/support/systemc_test.h"
#include "testbenches/support/token_stages.h"
#include "testbenches/unit/warp_operations.h"

namespace gt200::model {
namespace {

using testing::for_lanes;
using tlm_bus::cycle_t;

constexpr cycle_t latency = 4;

class coalescer_test : public support::systemc_test {
 protected:
  void build(config::coalescing_rule rule = config::coalescing_rule::cc_1_2) {
    config::coalescer_config config;
    config.rule = rule;
    config.latency_cycles = latency;
    source = std::make_unique<support::token_source<memory_access_token>>("source", uncore());
    unit = std::make_unique<coalescer>("coalescer", uncore(), config);
    sink = std::make_unique<support::token_sink<transaction_token>>("sink", uncore(), 2);
    source->out.bind(unit->from_tlb);
    unit->to_load_store_queue.bind(sink->in);
  }
  memory_access& access(std::uint32_t base, std::uint32_t stride, memory_kind kind = memory_kind::load) {
    warp_instruction& o = warp.operation(isa::instruction());
    accesses_.emplace_back();
    memory_access& a = accesses_.back();
    a.operation = &o;
    a.kind = kind;
    a.lanes = o.executed;
    for_lanes([&](unsigned lane) { o.values.address.lane[lane] = base + stride * lane; });
    return a;
  }
  void run(memory_access& a) {
    source->send_at(5, {&a});
    run_until_idle();
  }
  const std::vector<support::timed<transaction_token>>& sent() const { return sink->taken; }

  static constexpr cycle_t first = 5 + latency + 1;  // when the first transaction of `run` is taken

  testing::warp_operations warp;
  std::unique_ptr<support::token_source<memory_access_token>> source;
  std::unique_ptr<coalescer> unit;
  std::unique_ptr<support::token_sink<transaction_token>> sink;

 private:
  std::deque<memory_access> accesses_;
};

TEST_F(coalescer_test, successive_words_are_one_transaction_per_half_warp) {
  build();
  memory_access& a = access(0x2000, 4);
  run(a);
  ASSERT_EQ(sent().size(), 2u);
  for (unsigned half = 0; half < 2; ++half) {
    const transaction_token& t = sent()[half].value;
    EXPECT_EQ(sent()[half].cycle, first + half);
    EXPECT_EQ(t.access, &a);
    EXPECT_EQ(t.address, 0x2000u + 64 * half);
    EXPECT_EQ(t.bytes, 64u);
    EXPECT_EQ(t.lanes, 0xffffu << 16 * half);
    EXPECT_TRUE(t.in_sequence);
    EXPECT_EQ(t.last, half == 1);
  }
  EXPECT_EQ(unit->half_warps.value(), 2u);
  EXPECT_EQ(unit->transactions_64.value(), 2u);
  EXPECT_EQ(unit->bytes_requested.value(), 128u);
  EXPECT_EQ(unit->bytes_transferred.value(), 128u);
}

TEST_F(coalescer_test, scattered_lanes_are_one_transaction_per_cycle) {
  build();
  run(access(0x2000, 256));
  ASSERT_EQ(sent().size(), 32u);
  for (unsigned lane = 0; lane < 32; ++lane) {
    const transaction_token& t = sent()[lane].value;
    EXPECT_EQ(sent()[lane].cycle, first + lane);
    EXPECT_EQ(t.address, 0x2000u + 256 * lane);
    EXPECT_EQ(t.bytes, 32u);
    EXPECT_EQ(t.lanes, 1u << lane);
    EXPECT_EQ(t.last, lane == 31);
  }
  EXPECT_EQ(unit->transactions_32.value(), 32u);
}

TEST_F(coalescer_test, the_rule_is_that_of_the_configuration) {
  build(config::coalescing_rule::cc_1_0);
  run(access(0x2004, 4));  // not aligned: no sequence by the older rule
  EXPECT_EQ(sent().size(), 32u);
}

TEST_F(coalescer_test, an_empty_half_warp_is_passed_over) {
  build();
  memory_access& high = access(0x2000, 4);
  high.lanes = 0xffff0000;
  memory_access& low = access(0x2000, 4);
  low.lanes = 0x0000ffff;
  source->send_at(5, {&high});
  source->send_at(6, {&low});
  run_until_idle();
  ASSERT_EQ(sent().size(), 2u);
  EXPECT_EQ(sent()[0].value.lanes, 0xffff0000u);
  EXPECT_TRUE(sent()[0].value.last);
  EXPECT_EQ(sent()[1].cycle, first + 1);
  EXPECT_EQ(sent()[1].value.lanes, 0x0000ffffu);
  EXPECT_TRUE(sent()[1].value.last);
}

TEST_F(coalescer_test, an_access_without_lanes_is_one_empty_transaction) {
  build();
  memory_access& a = access(0x2000, 4);
  a.lanes = 0;
  run(a);
  ASSERT_EQ(sent().size(), 1u);
  EXPECT_EQ(sent()[0].cycle, first);
  EXPECT_EQ(sent()[0].value.bytes, 0u);
  EXPECT_TRUE(sent()[0].value.last);
  EXPECT_EQ(unit->half_warps.value(), 0u);
}

TEST_F(coalescer_test, atomics_are_a_transaction_per_lane_even_to_one_address) {
  build();
  memory_access& a = access(0x2000, 0, memory_kind::atomic);
  a.lanes = 0x80010003;
  run(a);
  ASSERT_EQ(sent().size(), 4u);
  const isa::lane_mask lanes[] = {1u, 2u, 1u << 16, 1u << 31};
  for (unsigned i = 0; i < 4; ++i) {
    EXPECT_EQ(sent()[i].cycle, first + i);
    EXPECT_EQ(sent()[i].value.lanes, lanes[i]);
    EXPECT_EQ(sent()[i].value.bytes, 4u);
    EXPECT_EQ(sent()[i].value.address, 0x2000u);
    EXPECT_EQ(sent()[i].value.last, i == 3);
  }
  EXPECT_EQ(unit->atomics.value(), 4u);
  EXPECT_EQ(unit->bytes_requested.value(), 0u) << "counts loads and stores";
}

TEST_F(coalescer_test, a_wide_local_access_goes_word_by_word_128_bytes_apart) {
  build();
  memory_access& a = access(0x2000, 4);
  a.passes = 2;
  run(a);
  ASSERT_EQ(sent().size(), 4u);
  const std::uint64_t addresses[] = {0x2000, 0x2080, 0x2040,
                                     0x20c0};  // both words of a half-warp, then the other's
  for (unsigned i = 0; i < 4; ++i) {
    EXPECT_EQ(sent()[i].value.address, addresses[i]);
    EXPECT_EQ(sent()[i].value.pass, i % 2);
    EXPECT_EQ(sent()[i].value.last, i == 3);
  }
  EXPECT_EQ(unit->half_warps.value(), 4u);
}

TEST_F(coalescer_test, transactions_have_physical_addresses) {
  build();
  memory_access& a = access(0x2000, 4);
  a.physical_offset = 0x100000;
  run(a);
  EXPECT_EQ(sent()[0].value.address, 0x102000u);
  EXPECT_EQ(sent()[1].value.address, 0x102040u);
}

TEST_F(coalescer_test, lanes_may_lie_at_different_physical_offsets) {
  build();
  memory_access& a = access(0x2ffc, 4);  // lane 0 in one page, the others in the next
  a.uniform_offset = false;
  for_lanes([&](unsigned lane) { a.physical[lane] = lane == 0 ? 0x70ffc : 0x90000 + 4 * (lane - 1); });
  run(a);
  EXPECT_EQ(sent()[0].value.address, 0x70fe0u) << "the 32 bytes that hold lane 0's word";
  EXPECT_EQ(sent()[1].value.address, 0x90000u);
}

TEST_F(coalescer_test, a_full_load_store_queue_stops_the_flow_and_nothing_is_lost) {
  build();
  sink->takes = [](cycle_t cycle) { return cycle >= 60; };
  run(access(0x2000, 256));
  ASSERT_EQ(sent().size(), 32u);
  for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(sent()[lane].value.lanes, 1u << lane);
}

}  // namespace
}  // namespace gt200::model
