// Addresses of the lanes, faults that need no memory, and the rate of half-warps, in exact cycles.
#include "sc_models/memory_path/address_generation.h"

#include <gtest/gtest.h>

#include "testbenches/support/systemc_test.h"
#include "testbenches/support/token_stages.h"
#include "testbenches/unit/warp_operations.h"

namespace gt200::model {
namespace {

using arch_state::fault_kind;
using isa::data_type;
using testing::for_lanes;
using testing::memory_instruction;
using testing::operation;
using tlm_bus::cycle_t;

constexpr unsigned latency = 3;
constexpr unsigned first_sm = 6;  // of the TPC, in the chip
constexpr unsigned warps = 32;

class address_generation_test : public support::systemc_test {
 protected:
  address_generation_test() {
    source.out.bind(generation.from_sm_controller);
    generation.to_tlb.bind(sink.in);
  }
  warp_instruction& global(operation op, std::uint32_t base, std::uint32_t stride,
                           data_type type = data_type::b32) {
    warp_instruction& o = warp.operation(memory_instruction(op, type));
    for_lanes([&](unsigned lane) { o.values.address.lane[lane] = base + stride * lane; });
    return o;
  }
  warp_instruction& local(operation op, std::uint32_t offset, data_type type = data_type::b32) {
    warp_instruction& o = warp.operation(memory_instruction(op, type));
    for_lanes([&](unsigned lane) { o.values.address.lane[lane] = offset; });
    return o;
  }
  void send(warp_instruction& o, cycle_t at) { source.send_at(at, {&o}); }
  // The access of a single instruction.
  const memory_access& access_of(warp_instruction& o) {
    send(o, 5);
    run_until_idle();
    EXPECT_EQ(sink.taken.size(), 1u);
    return *sink.taken.at(0).value.access;
  }
  std::vector<cycle_t> cycles() const {
    std::vector<cycle_t> all;
    for (const auto& t : sink.taken) all.push_back(t.cycle);
    return all;
  }

  testing::warp_operations warp;
  tlm_bus::pool<memory_access> accesses;
  support::token_source<memory_operation_token> source{"source", uncore()};
  address_generation generation{"generation", uncore(), {latency, 1}, first_sm, warps, accesses};
  support::token_sink<memory_access_token> sink{"sink", uncore(), 2};
};

TEST_F(address_generation_test, an_access_leaves_after_the_latency) {
  send(global(operation::ld_global, 0, 4), 5);
  run_until_idle();
  EXPECT_EQ(cycles(), (std::vector<cycle_t>{5 + latency + 1}));
}

TEST_F(address_generation_test, a_half_warp_with_executed_lanes_takes_a_cycle) {
  warp_instruction& full = global(operation::ld_global, 0, 4);
  warp_instruction& low = global(operation::ld_global, 0, 4);
  warp_instruction& high = global(operation::ld_global, 0, 4);
  warp_instruction& last = global(operation::ld_global, 0, 4);
  low.executed = 0x00000001;
  high.executed = 0x80000000;
  for (warp_instruction* o : {&full, &low, &high, &last}) send(*o, 5);
  run_until_idle();
  const cycle_t first = 5 + latency + 1;
  EXPECT_EQ(cycles(), (std::vector<cycle_t>{first, first + 2, first + 3, first + 4}));
  EXPECT_EQ(generation.half_warps.value(), 2u + 1 + 1 + 2);
}

// Both half-warps in a cycle, as compute capability 2.0 does it.
class address_generation_of_warps_test : public address_generation_test {
 protected:
  address_generation_of_warps_test() {
    warp_source.out.bind(by_warps.from_sm_controller);
    by_warps.to_tlb.bind(warp_sink.in);
  }
  support::token_source<memory_operation_token> warp_source{"warp_source", uncore()};
  address_generation by_warps{"by_warps", uncore(), {latency, 2}, first_sm, warps, accesses};
  support::token_sink<memory_access_token> warp_sink{"warp_sink", uncore(), 2};
};

TEST_F(address_generation_of_warps_test, a_warp_takes_a_cycle) {
  for (unsigned i = 0; i < 3; ++i) warp_source.send_at(5, {&global(operation::ld_global, 0, 4)});
  run_until_idle();
  ASSERT_EQ(warp_sink.taken.size(), 3u);
  for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(warp_sink.taken[i].cycle, 5 + latency + 1 + i);
}

TEST_F(address_generation_test, a_global_address_is_the_value_of_the_register) {
  const memory_access& access = access_of(global(operation::ld_global, 0x2000, 8));
  EXPECT_EQ(access.space, memory_space::global);
  EXPECT_EQ(access.kind, memory_kind::load);
  EXPECT_EQ(access.lanes, 0xffffffffu);
  EXPECT_EQ(access.word_bytes, 4u);
  EXPECT_EQ(access.passes, 1u);
  for_lanes([&](unsigned lane) { EXPECT_EQ(access.operation->values.address.lane[lane], 0x2000 + 8 * lane); });
}

TEST_F(address_generation_test, kinds_of_access_follow_the_instruction) {
  send(global(operation::st_global, 0, 4), 1);
  send(global(operation::red_global, 0, 4), 2);
  send(global(operation::atom_global, 0, 4), 3);
  run_until_idle();
  ASSERT_EQ(sink.taken.size(), 3u);
  EXPECT_EQ(sink.taken[0].value.access->kind, memory_kind::store);
  EXPECT_EQ(sink.taken[1].value.access->kind, memory_kind::atomic);
  EXPECT_EQ(sink.taken[2].value.access->kind, memory_kind::atomic);
}

TEST_F(address_generation_test, lanes_that_do_not_take_part_get_the_address_of_the_lowest_one_that_does) {
  warp_instruction& o = global(operation::ld_global, 0x2000, 4);
  o.executed = 0x00000030;
  const memory_access& access = access_of(o);
  EXPECT_EQ(access.lanes, 0x30u);
  for_lanes([&](unsigned lane) { EXPECT_EQ(o.values.address.lane[lane], lane == 5 ? 0x2014u : 0x2010u) << lane; });
  EXPECT_EQ(access.address_spread, 0x4u) << "the bits in which the addresses differ";
}

TEST_F(address_generation_test, an_instruction_without_lanes_passes_and_takes_no_half_warp) {
  warp_instruction& o = global(operation::ld_global, 1, 0);
  o.executed = 0;
  EXPECT_EQ(access_of(o).lanes, 0u);
  EXPECT_EQ(o.fault, fault_kind::none);
  EXPECT_EQ(generation.half_warps.value(), 0u);
}

TEST_F(address_generation_test, lanes_with_misaligned_addresses_are_a_fault) {
  warp_instruction& o = global(operation::ld_global, 0x2000, 4);
  o.values.address.lane[7] = 0x3002;
  o.values.address.lane[9] = 0x3001;
  EXPECT_EQ(access_of(o).lanes, 0u) << "no lane accesses memory";
  EXPECT_EQ(o.fault, fault_kind::misaligned_address);
  EXPECT_EQ(o.fault_lanes, 1u << 7 | 1u << 9);
  EXPECT_EQ(o.fault_address, 0x3002u) << "of the lowest lane at fault";
  EXPECT_EQ(generation.faults.value(), 1u);
}

TEST_F(address_generation_test, a_lane_that_does_not_execute_is_never_at_fault) {
  warp_instruction& o = global(operation::ld_global, 0x2000, 4);
  o.values.address.lane[7] = 0x3002;
  o.executed = ~(1u << 7);
  EXPECT_EQ(access_of(o).lanes, o.executed);
  EXPECT_EQ(o.fault, fault_kind::none);
}

TEST_F(address_generation_test, a_wider_access_must_be_aligned_to_its_size) {
  warp_instruction& o = global(operation::ld_global, 0x2004, 0, data_type::b64);
  access_of(o);
  EXPECT_EQ(o.fault, fault_kind::misaligned_address);
  EXPECT_EQ(o.fault_lanes, 0xffffffffu);
}

TEST_F(address_generation_test, the_same_local_word_of_all_lanes_is_one_block) {
  warp_instruction& o = local(operation::ld_local, 8);
  o.sm = 1;
  o.warp = warp_slot(3);
  const memory_access& access = access_of(o);
  EXPECT_EQ(access.space, memory_space::local);
  const std::uint32_t window = 0x40000 + ((first_sm + 1) * warps + 3) * 32 * 64;
  for_lanes([&](unsigned lane) { EXPECT_EQ(o.values.address.lane[lane], window + 2 * 128 + lane * 4); });
}

TEST_F(address_generation_test, a_local_byte_keeps_its_place_in_its_word) {
  warp_instruction& o = local(operation::ld_local, 5, data_type::u8);
  access_of(o);
  const std::uint32_t window = 0x40000 + first_sm * warps * 32 * 64;
  EXPECT_EQ(o.values.address.lane[2], window + 128 + 2 * 4 + 1);
}

TEST_F(address_generation_test, each_lane_has_a_local_address_of_its_own) {
  warp_instruction& o = local(operation::ld_local, 0);
  for_lanes([&](unsigned lane) { o.values.address.lane[lane] = lane % 4 * 4; });
  access_of(o);
  const std::uint32_t window = 0x40000 + first_sm * warps * 32 * 64;
  EXPECT_EQ(o.fault, fault_kind::none);
  EXPECT_EQ(o.values.address.lane[3], window + 3 * 128 + 3 * 4);
}

TEST_F(address_generation_test, a_wide_local_access_goes_word_by_word) {
  const memory_access& access = access_of(local(operation::ld_local, 16, data_type::b128));
  EXPECT_EQ(access.passes, 4u);
  EXPECT_EQ(access.word_bytes, 4u);
}

TEST_F(address_generation_test, an_access_that_ends_beyond_local_memory_is_a_fault) {
  warp_instruction& o = local(operation::st_local, 0);
  for_lanes([&](unsigned lane) { o.values.address.lane[lane] = lane == 4 ? 64 : 60; });  // 64 bytes per thread
  EXPECT_EQ(access_of(o).lanes, 0u);
  EXPECT_EQ(o.fault, fault_kind::unmapped_address);
  EXPECT_EQ(o.fault_lanes, 1u << 4);
  EXPECT_EQ(o.fault_address, 64u) << "the offset";
}

TEST_F(address_generation_test, misalignment_is_reported_before_range) {
  warp_instruction& o = local(operation::st_local, 0);
  for_lanes([&](unsigned lane) { o.values.address.lane[lane] = lane == 4 ? 64 : lane == 20 ? 2 : 0; });
  access_of(o);
  EXPECT_EQ(o.fault, fault_kind::misaligned_address);
  EXPECT_EQ(o.fault_lanes, 1u << 20);
}

TEST_F(address_generation_test, an_access_of_the_divergence_stack_is_local_at_an_address_of_its_own) {
  warp_instruction& o = global(operation::st_global, 0x12340, 4);
  o.stack_access = true;
  const memory_access& access = access_of(o);
  EXPECT_EQ(access.space, memory_space::local);
  EXPECT_EQ(o.values.address.lane[1], 0x12344u);
}

TEST_F(address_generation_test, a_full_tlb_stops_the_flow_and_nothing_is_lost) {
  sink.takes = [](cycle_t cycle) { return cycle >= 50; };
  for (unsigned i = 0; i < 4; ++i) send(global(operation::ld_global, 0x100 * i, 4), 5);
  run_until_idle();
  ASSERT_EQ(sink.taken.size(), 4u);
  for (unsigned i = 0; i < 4; ++i)
    EXPECT_EQ(sink.taken[i].value.access->operation->values.address.lane[0], 0x100 * i);
}

}  // namespace
}  // namespace gt200::model
