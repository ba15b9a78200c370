// The whole memory path of a TPC: the requests that reach memory, the results in the registers, and their cycles.
#include "sc_models/memory_path/memory_path.h"

#include "testbenches/unit/cluster_harness.h"

namespace gt200::model {
namespace {

using isa::data_type;
using testing::for_lanes;
using testing::memory_instruction;
using testing::operation;

class memory_test : public support::systemc_test {
 protected:
  testing::tpc_harness& tpc(const std::vector<std::string>& overrides = {}) {
    if (!tpc_) tpc_ = std::make_unique<testing::tpc_harness>("tpc", clock(), testing::test_config(overrides));
    return *tpc_;
  }
  warp_instruction& load(data_type type, std::uint32_t base, std::uint32_t stride, unsigned sm = 0) {
    warp_instruction& o = tpc().operation(memory_instruction(operation::ld_global, type), sm);
    for_lanes([&](unsigned lane) { o.values.address.lane[lane] = base + stride * lane; });
    return o;
  }
  warp_instruction& store(data_type type, std::uint32_t base, std::uint32_t stride, unsigned sm = 0) {
    warp_instruction& o = tpc().operation(memory_instruction(operation::st_global, type), sm);
    for_lanes([&](unsigned lane) {
      o.values.address.lane[lane] = base + stride * lane;
      for (unsigned w = 0; w < 4; ++w) o.values.source[1][w].lane[lane] = 0x01010101u * lane + (w << 8);
    });
    return o;
  }
  void run(warp_instruction& o) {
    tpc().send(o, uncore().cycle() + 1);
    run_until_idle();
    EXPECT_NE(tpc().completed_at(o), tlm_bus::no_cycle);
    EXPECT_TRUE(tpc().idle());
  }

 private:
  std::unique_ptr<testing::tpc_harness> tpc_;
};

TEST_F(memory_test, load_of_words_brings_each_lane_its_word) {
  warp_instruction& o = load(data_type::b32, 0x2000, 4);
  for (std::uint32_t i = 0; i < 32; ++i) tpc().dram.set_word(0x2000 + 4 * i, 1000 + i);
  run(o);
  for_lanes([&](unsigned lane) { EXPECT_EQ(o.values.destination[0].lane[lane], 1000 + lane); });
  for_lanes([&](unsigned lane) { EXPECT_EQ(o.values.address.lane[lane], 0x2000 + 4 * lane); });
  ASSERT_EQ(tpc().dram.seen.size(), 2u);
  const auto& s = tpc().dram.seen;
  EXPECT_EQ(s[0].address, 0x2000u);
  EXPECT_EQ(s[0].bytes, 64u);
  EXPECT_EQ(s[0].extension.lanes, 0x0000ffffu);
  EXPECT_EQ(s[1].address, 0x2040u);
  EXPECT_EQ(s[1].extension.lanes, 0xffff0000u);
  for (const auto& r : s) {
    EXPECT_EQ(r.command, tlm::TLM_READ_COMMAND);
    EXPECT_EQ(r.extension.kind, memory_kind::load);
    EXPECT_EQ(r.extension.space, memory_space::global);
    EXPECT_EQ(r.extension.instruction_id, o.id);
    EXPECT_EQ(r.extension.tpc, testing::tpc_harness::tpc);
  }
  EXPECT_LT(s[0].extension.transaction_id, s[1].extension.transaction_id);
}

TEST_F(memory_test, narrow_loads_are_extended) {
  for (std::uint32_t i = 0; i < 64; ++i) tpc().dram.memory[0x2000 + i] = static_cast<std::uint8_t>(0x70 + i);
  warp_instruction& u8 = load(data_type::u8, 0x2000, 1);
  warp_instruction& s8 = load(data_type::s8, 0x2000, 1);
  warp_instruction& u16 = load(data_type::u16, 0x2000, 2);
  warp_instruction& s16 = load(data_type::s16, 0x2000, 2);
  tlm_bus::cycle_t at = 1;
  for (auto* o : {&u8, &s8, &u16, &s16}) tpc().send(*o, at++);
  run_until_idle();
  for_lanes([&](unsigned lane) {
    const auto byte = [](unsigned i) { return 0x70u + i; };
    const std::uint32_t half = byte(2 * lane) | byte(2 * lane + 1) << 8;
    EXPECT_EQ(u8.values.destination[0].lane[lane], byte(lane));
    EXPECT_EQ(s8.values.destination[0].lane[lane],
              static_cast<std::uint32_t>(static_cast<std::int8_t>(byte(lane))));
    EXPECT_EQ(u16.values.destination[0].lane[lane], half);
    EXPECT_EQ(s16.values.destination[0].lane[lane], static_cast<std::uint32_t>(static_cast<std::int16_t>(half)));
  });
}

TEST_F(memory_test, wide_loads_fill_consecutive_registers) {
  for (std::uint32_t i = 0; i < 128; ++i) tpc().dram.set_word(0x2000 + 4 * i, i);
  warp_instruction& b64 = load(data_type::b64, 0x2000, 8);
  warp_instruction& b128 = load(data_type::b128, 0x2000, 16);
  tpc().send(b64, 1);
  tpc().send(b128, 2);
  run_until_idle();
  for_lanes([&](unsigned lane) {
    for (unsigned w = 0; w < 2; ++w) EXPECT_EQ(b64.values.destination[w].lane[lane], 2 * lane + w);
    for (unsigned w = 0; w < 4; ++w) EXPECT_EQ(b128.values.destination[w].lane[lane], 4 * lane + w);
  });
}

TEST_F(memory_test, lanes_switched_off_neither_load_nor_store) {
  warp_instruction& l = load(data_type::b32, 0x2000, 4);
  l.executed = 0x00010002;
  run(l);
  for_lanes([&](unsigned lane) {
    const bool executed = lane == 1 || lane == 16;
    EXPECT_EQ(l.values.destination[0].lane[lane], executed ? 0u : 0xeeeeeeeeu);
  });
  warp_instruction& s = store(data_type::b32, 0x3000, 4);
  s.executed = 0x00010002;
  run(s);
  for_lanes([&](unsigned lane) {
    const bool executed = lane == 1 || lane == 16;
    EXPECT_EQ(tpc().dram.word(0x3000 + 4 * lane), executed ? 0x01010101u * lane : 0u);
  });
}

TEST_F(memory_test, instruction_without_lanes_completes_without_access) {
  warp_instruction& o = load(data_type::b32, 0x2000, 4);
  o.executed = 0;
  run(o);
  EXPECT_TRUE(tpc().dram.seen.empty());
  EXPECT_EQ(o.fault, arch_state::fault_kind::none);
}

TEST_F(memory_test, store_that_covers_its_segment_needs_no_byte_enables) {
  run(store(data_type::b32, 0x2000, 4));
  ASSERT_EQ(tpc().dram.seen.size(), 2u);
  EXPECT_TRUE(tpc().dram.seen[0].enabled.empty());
  EXPECT_EQ(tpc().dram.seen[0].extension.kind, memory_kind::store);
  for_lanes([&](unsigned lane) { EXPECT_EQ(tpc().dram.word(0x2000 + 4 * lane), 0x01010101u * lane); });
}

TEST_F(memory_test, partial_store_leaves_the_bytes_between) {
  std::fill(tpc().dram.memory.begin(), tpc().dram.memory.end(), 0xaa);
  run(store(data_type::u16, 0x2000, 4));
  for_lanes([&](unsigned lane) { EXPECT_EQ(tpc().dram.word(0x2000 + 4 * lane), 0xaaaa0000u | (0x0101u * lane)); });
}

TEST_F(memory_test, sequences_may_begin_anywhere_in_a_segment) {
  std::fill(tpc().dram.memory.begin(), tpc().dram.memory.end(), 0xaa);
  for (std::uint32_t first = 0x2000; first < 0x2080; first += 4) {
    const std::uint32_t base = first + (first - 0x2000) * 0x80;
    run(store(data_type::b32, base, 4));
    EXPECT_EQ(tpc().dram.word(base - 4), 0xaaaaaaaau);
    EXPECT_EQ(tpc().dram.word(base + 128), 0xaaaaaaaau);
    warp_instruction& l = load(data_type::b32, base, 4);
    run(l);
    for_lanes([&](unsigned lane) { EXPECT_EQ(l.values.destination[0].lane[lane], 0x01010101u * lane) << base; });
  }
}

TEST_F(memory_test, wide_stores_write_consecutive_words) {
  run(store(data_type::b128, 0x2000, 16));
  run(store(data_type::b64, 0x4000, 8));
  for_lanes([&](unsigned lane) {
    for (unsigned w = 0; w < 4; ++w)
      EXPECT_EQ(tpc().dram.word(0x2000 + 16 * lane + 4 * w), 0x01010101u * lane + (w << 8));
    for (unsigned w = 0; w < 2; ++w)
      EXPECT_EQ(tpc().dram.word(0x4000 + 8 * lane + 4 * w), 0x01010101u * lane + (w << 8));
  });
}

TEST_F(memory_test, of_several_lanes_storing_to_one_address_the_highest_wins) {
  run(store(data_type::b32, 0x2000, 0));
  EXPECT_EQ(tpc().dram.word(0x2000), 0x01010101u * 31);
}

TEST_F(memory_test, atomics_go_lane_by_lane_and_return_the_old_values) {
  isa::instruction add = memory_instruction(operation::atom_global, data_type::b32);
  add.access.atomic = isa::atomic_op::add;
  warp_instruction& o = tpc().operation(add);
  for_lanes([&](unsigned lane) {
    o.values.address.lane[lane] = 0x2000;
    o.values.source[1][0].lane[lane] = lane;
  });
  o.executed = 0xffff00f0;
  run(o);
  std::uint32_t sum = 0;
  for_lanes([&](unsigned lane) {
    if ((o.executed >> lane & 1) == 0) return;
    EXPECT_EQ(o.values.destination[0].lane[lane], sum);
    sum += lane;
  });
  EXPECT_EQ(tpc().dram.word(0x2000), sum);
  ASSERT_EQ(tpc().dram.seen.size(), 20u);
  const auto& first = tpc().dram.seen[0];
  EXPECT_EQ(first.command, tlm::TLM_WRITE_COMMAND);
  EXPECT_EQ(first.bytes, 4u);
  EXPECT_EQ(first.extension.kind, memory_kind::atomic);
  EXPECT_EQ(first.extension.atomic, atomic_operation::add);
  EXPECT_EQ(first.extension.lanes, 0x10u);
  EXPECT_TRUE(first.extension.returns_value);
  EXPECT_FALSE(first.extension.wide);
}

TEST_F(memory_test, wide_cas_sends_compare_value_then_new_value) {
  isa::instruction cas = memory_instruction(operation::atom_global, data_type::b64);
  cas.access.atomic = isa::atomic_op::cas;
  warp_instruction& o = tpc().operation(cas);
  o.executed = 0x8;
  o.values.address.lane[3] = 0x2008;
  for (unsigned w = 0; w < 2; ++w) {
    o.values.source[1][w].lane[3] = 0xc0 + w;
    o.values.source[2][w].lane[3] = 0xd0 + w;
  }
  run(o);
  ASSERT_EQ(tpc().dram.seen.size(), 1u);
  const auto& s = tpc().dram.seen[0];
  EXPECT_EQ(s.address, 0x2008u);
  EXPECT_TRUE(s.extension.wide);
  EXPECT_EQ(s.extension.atomic, atomic_operation::cas);
  EXPECT_EQ(s.data, (std::vector<std::uint8_t>{0xc0, 0, 0, 0, 0xc1, 0, 0, 0, 0xd0, 0, 0, 0, 0xd1, 0, 0, 0}));
}

TEST_F(memory_test, reduction_returns_nothing) {
  isa::instruction red = memory_instruction(operation::red_global, data_type::b32);
  red.access.atomic_signed = true;
  warp_instruction& o = tpc().operation(red);
  o.executed = 1;
  o.values.address.lane[0] = 0x2000;
  o.values.source[1][0].lane[0] = 5;
  run(o);
  EXPECT_EQ(tpc().dram.word(0x2000), 5u);
  EXPECT_EQ(o.values.destination[0].lane[0], 0xeeeeeeeeu);
  EXPECT_FALSE(tpc().dram.seen[0].extension.returns_value);
  EXPECT_TRUE(tpc().dram.seen[0].extension.atomic_signed);
}

TEST_F(memory_test, local_word_of_all_lanes_is_one_aligned_block) {
  warp_instruction& o = tpc().operation(memory_instruction(operation::st_local, data_type::b32), 1);
  o.warp = warp_slot(3);
  for_lanes([&](unsigned lane) {
    o.values.address.lane[lane] = 8;
    o.values.source[1][0].lane[lane] = 7000 + lane;
  });
  run(o);
  const unsigned warps = tpc().config.tpc.sm.limits.warps;
  const std::uint32_t window = 0x40000 + ((2 * 3 + 1) * warps + 3) * 32 * 64;
  for_lanes([&](unsigned lane) { EXPECT_EQ(tpc().dram.word(window + 2 * 128 + 4 * lane), 7000 + lane); });
  ASSERT_EQ(tpc().dram.seen.size(), 2u);
  EXPECT_EQ(tpc().dram.seen[0].bytes, 64u);
  EXPECT_EQ(tpc().dram.seen[0].extension.space, memory_space::local);
}

TEST_F(memory_test, local_memory_is_private_to_each_lane_for_every_type) {
  // Each lane stores 16 bytes and reads them back by other types, its own offset from that of its neighbour.
  warp_instruction& s = tpc().operation(memory_instruction(operation::st_local, data_type::b128));
  for_lanes([&](unsigned lane) {
    s.values.address.lane[lane] = 16 * (lane % 4);
    for (unsigned w = 0; w < 4; ++w) s.values.source[1][w].lane[lane] = 0x80 + 0x1000000 * lane + w;
  });
  run(s);
  EXPECT_EQ(tpc().dram.seen.size(), 4u * 2 * 4);  // words x half-warps x blocks
  const auto read_back = [&](data_type type, std::uint32_t offset) -> warp_instruction& {
    warp_instruction& l = tpc().operation(memory_instruction(operation::ld_local, type));
    for_lanes([&](unsigned lane) { l.values.address.lane[lane] = offset + 16 * (lane % 4); });
    run(l);
    return l;
  };
  warp_instruction& pair = read_back(data_type::b64, 8);
  warp_instruction& byte = read_back(data_type::s8, 12);
  warp_instruction& high = read_back(data_type::u8, 7);
  for_lanes([&](unsigned lane) {
    EXPECT_EQ(pair.values.destination[0].lane[lane], 0x82 + 0x1000000 * lane);
    EXPECT_EQ(pair.values.destination[1].lane[lane], 0x83 + 0x1000000 * lane);
    EXPECT_EQ(byte.values.destination[0].lane[lane], 0xffffff83u);
    EXPECT_EQ(high.values.destination[0].lane[lane], lane);
  });
}

TEST_F(memory_test, misaligned_lanes_are_a_fault_without_access) {
  warp_instruction& o = load(data_type::b64, 0x2000, 8);
  o.values.address.lane[5] = 0x2004;
  o.values.address.lane[9] = 0x2002;
  o.values.address.lane[2] = 0x2001;
  o.executed = ~0x4u;
  run(o);
  EXPECT_EQ(o.fault, arch_state::fault_kind::misaligned_address);
  EXPECT_EQ(o.fault_lanes, 1u << 5 | 1u << 9);
  EXPECT_EQ(o.fault_address, 0x2004u);
  EXPECT_TRUE(tpc().dram.seen.empty());
}

TEST_F(memory_test, offsets_beyond_local_memory_are_a_fault) {
  warp_instruction& o = tpc().operation(memory_instruction(operation::ld_local, data_type::b32));
  for_lanes([&](unsigned lane) { o.values.address.lane[lane] = 32 + lane * 4 % 36; });
  run(o);  // 64 bytes of local memory: the last word is at 60 = 32 + 28; lane 8 reads at 64
  EXPECT_EQ(o.fault, arch_state::fault_kind::unmapped_address);
  EXPECT_EQ(o.fault_lanes, 1u << 8 | 1u << 17 | 1u << 26);
  EXPECT_EQ(o.fault_address, 64u);
  EXPECT_TRUE(tpc().dram.seen.empty());
}

TEST_F(memory_test, unmapped_page_is_a_fault_without_access) {
  warp_instruction& o = load(data_type::b32, 0x2000, 4);
  o.values.address.lane[7] = 0;
  o.values.address.lane[30] = 0xfffffffc;
  run(o);
  EXPECT_EQ(o.fault, arch_state::fault_kind::unmapped_address);
  EXPECT_EQ(o.fault_lanes, 1u << 7 | 1u << 30);
  EXPECT_EQ(o.fault_address, 0u);
  EXPECT_TRUE(tpc().dram.seen.empty());
}

TEST_F(memory_test, stores_and_atomics_to_protected_pages_are_a_fault_without_access) {
  tpc().pages.protect(0x3000, 0x1000);
  warp_instruction& l = load(data_type::b32, 0x2f80, 8);
  run(l);
  EXPECT_EQ(l.fault, arch_state::fault_kind::none);
  tpc().dram.seen.clear();
  warp_instruction& s = store(data_type::b32, 0x2f80, 8);
  run(s);
  EXPECT_EQ(s.fault, arch_state::fault_kind::protected_address);
  EXPECT_EQ(s.fault_lanes, 0xffff0000u);
  EXPECT_EQ(s.fault_address, 0x3000u);
  EXPECT_TRUE(tpc().dram.seen.empty());
}

TEST_F(memory_test, address_error_of_the_memory_is_a_fault_of_the_lanes_served) {
  tpc().pages.map(0x100000, 0x1000, 0x100000);  // mapped, but beyond the memory
  warp_instruction& o = load(data_type::b32, 0x2000, 4);
  o.values.address.lane[20] = 0x100010;
  run(o);
  EXPECT_EQ(o.fault, arch_state::fault_kind::unmapped_address);
  EXPECT_EQ(o.fault_lanes, 1u << 20);
  EXPECT_EQ(o.fault_address, 0x100010u);
}

TEST_F(memory_test, pages_are_translated_each_for_itself) {
  auto& pages = tpc().pages;
  pages.map(0x80000000, 0x1000, 0x5000);
  pages.map(0x80001000, 0x1000, 0x3000);
  warp_instruction& o = store(data_type::b32, 0x80000fc0, 4);
  run(o);
  for_lanes([&](unsigned lane) {
    EXPECT_EQ(tpc().dram.word(lane < 16 ? 0x5fc0 + 4 * lane : 0x3000 + 4 * (lane - 16)), 0x01010101u * lane);
  });
}

TEST_F(memory_test, unloaded_load_takes_the_sum_of_the_latencies) {
  warp_instruction& warm_up = load(data_type::b32, 0x2000, 4);
  run(warm_up);
  warp_instruction& o = load(data_type::b32, 0x2000, 4);
  o.executed = 0xffff;
  const tlm_bus::cycle_t sent = uncore().cycle() + 10;
  tpc().send(o, sent);
  run_until_idle();
  // SM controller 2, address generation 3, TLB 2, coalescer 4, then one step each: queue, crossbar port, memory.
  ASSERT_EQ(tpc().dram.seen.size(), 3u);
  EXPECT_EQ(tpc().dram.seen[2].cycle, sent + 2 + 3 + 2 + 4 + 1 + 1 + 1);
  // Memory 10, crossbar port 1, queue 1, back to the SM controller 3, SM 1.
  EXPECT_EQ(tpc().completed_at(o), tpc().dram.seen[2].cycle + 10 + 1 + 1 + 3 + 1);
}

TEST_F(memory_test, coalesced_warps_follow_every_second_cycle) {
  run(load(data_type::b32, 0x2000, 4));
  std::vector<warp_instruction*> warps;
  const tlm_bus::cycle_t start = uncore().cycle() + 10;
  for (unsigned i = 0; i < 12; ++i) {
    warps.push_back(&load(data_type::b32, 0x2000 + 128 * i, 4, (i + 1) % 3));
    tpc().send(*warps.back(), start);
  }
  run_until_idle();
  for (unsigned i = 1; i < 12; ++i) EXPECT_EQ(tpc().completed_at(*warps[i]), tpc().completed_at(*warps[i - 1]) + 2);
}

TEST_F(memory_test, scattered_warp_sends_one_transaction_per_cycle) {
  warp_instruction& o = load(data_type::b32, 0x2000, 128);
  run(o);
  ASSERT_EQ(tpc().dram.seen.size(), 32u);
  for (std::size_t i = 1; i < 32; ++i) EXPECT_EQ(tpc().dram.seen[i].cycle, tpc().dram.seen[0].cycle + i);
}

TEST_F(memory_test, sms_take_turns) {
  for (unsigned i = 0; i < 12; ++i) tpc().send(load(data_type::b32, 0x2000, 4, i / 4), 1);
  run_until_idle();
  ASSERT_EQ(tpc().dram.seen.size(), 24u);
  for (std::size_t i = 0; i < 24; ++i) EXPECT_EQ(tpc().dram.seen[i].extension.sm, i / 2 % 3);
}

TEST_F(memory_test, responses_may_come_in_any_order) {
  tpc().dram.latency = [](std::size_t n) { return n % 2 == 0 ? 200u : 10u; };
  for (std::uint32_t i = 0; i < 512; ++i) tpc().dram.set_word(0x2000 + 4 * i, i);
  std::vector<warp_instruction*> warps;
  for (unsigned i = 0; i < 16; ++i) {
    warps.push_back(&load(data_type::b32, 0x2000 + 128 * i, 4));
    tpc().send(*warps.back(), 1);
  }
  run_until_idle();
  for (unsigned i = 0; i < 16; ++i)
    for_lanes([&](unsigned lane) { EXPECT_EQ(warps[i]->values.destination[0].lane[lane], 32 * i + lane); });
  EXPECT_TRUE(tpc().idle());
}

TEST_F(memory_test, no_more_loads_are_outstanding_than_there_are_entries) {
  tpc({"tpc.memory.load_store_queue.load_entries=4"}).dram.latency = [](std::size_t) { return 100u; };
  run(load(data_type::b32, 0x2000, 128));
  const auto& seen = tpc().dram.seen;
  ASSERT_EQ(seen.size(), 32u);
  EXPECT_EQ(seen[3].cycle, seen[0].cycle + 3);
  // The answer to the first one: 100 in memory, 1 to the port, 1 to the queue; its successor 1, 1 on the way back.
  EXPECT_EQ(seen[4].cycle, seen[0].cycle + 100 + 2 + 2);
}

TEST_F(memory_test, stores_do_not_take_entries_of_loads) {
  tpc({"tpc.memory.load_store_queue.load_entries=1", "tpc.memory.load_store_queue.store_entries=1"}).dram.latency =
      [](std::size_t n) { return n == 0 ? 500u : 10u; };
  warp_instruction& l = load(data_type::b32, 0x2000, 0);
  l.executed = 1;
  warp_instruction& s = store(data_type::b32, 0x2000, 0);
  s.executed = 1;
  tpc().send(l, 1);
  tpc().send(s, 2);
  run_until_idle();
  EXPECT_LT(tpc().completed_at(s), tpc().completed_at(l));
}

TEST_F(memory_test, tlb_misses_delay_by_their_penalties) {
  const auto time_of = [&](std::uint32_t address) {
    warp_instruction& o = load(data_type::b32, address, 0);
    const tlm_bus::cycle_t sent = uncore().cycle() + 10;
    tpc().send(o, sent);
    run_until_idle();
    return tpc().completed_at(o) - sent;
  };
  tpc().pages.map(0x10000000, 0x1000000, 0);
  // One hop each: TLB to walker, crossbar port, memory, and back.
  constexpr unsigned read = 1 + 1 + testing::test_memory::page_table_latency + 1 + 1;
  const auto cold = time_of(0x10000000);
  const auto hit = time_of(0x10000000);
  EXPECT_EQ(cold, hit + 20 + 1 + 2 * read + 1) << "directory and page table";
  EXPECT_EQ(tpc().dram.page_table_reads, 2u);
  EXPECT_EQ(time_of(0x10800000), hit + 20 + 1 + read + 1) << "the directory entry is known";
  EXPECT_EQ(tpc().dram.page_table_reads, 3u);
  for (std::uint32_t i = 1; i <= 16; ++i) time_of(0x10000000 + i * 0x80000);  // evicts the first L1 entry
  EXPECT_EQ(time_of(0x10000000), hit + 20);
}

TEST_F(memory_test, a_warp_takes_one_tlb_cycle_per_page_of_the_first_level) {
  tpc().pages.map(0x10000000, 0x1000000, 0);
  const auto time_of = [&](std::uint32_t stride) {
    warp_instruction& o = load(data_type::b32, 0x10000000, 0);
    for_lanes([&](unsigned lane) { o.values.address.lane[lane] += lane % 4 * stride; });
    o.executed = 0xf;
    const tlm_bus::cycle_t sent = uncore().cycle() + 10;
    tpc().send(o, sent);
    run_until_idle();
    return tpc().completed_at(o) - sent;
  };
  time_of(0x80000);  // fills the TLB
  EXPECT_EQ(time_of(0x80000), time_of(0x1000) + 3);
}

// -- with an L1 data cache, by the rule of 2.0 --

const std::vector<std::string> with_l1 = {"tpc.memory.l1.enabled=true", "tpc.memory.coalescer.rule=2.0",
                                          "tpc.memory.address_generation.half_warps_per_cycle=2"};

TEST_F(memory_test, l1_answers_the_second_load_of_a_line) {
  tpc(with_l1);
  for (std::uint32_t i = 0; i < 32; ++i) tpc().dram.set_word(0x2000 + 4 * i, 1000 + i);
  run(load(data_type::b32, 0x2000, 4));
  warp_instruction& second = load(data_type::b32, 0x2000, 4, 1);
  run(second);
  for_lanes([&](unsigned lane) { EXPECT_EQ(second.values.destination[0].lane[lane], 1000 + lane); });
  ASSERT_EQ(tpc().dram.seen.size(), 1u);
  EXPECT_EQ(tpc().dram.seen[0].bytes, 128u);
  EXPECT_EQ(tpc().dram.seen[0].extension.kind, memory_kind::fill);
  EXPECT_EQ(tpc().dram.seen[0].extension.space, memory_space::global);
  EXPECT_EQ(tpc().memory.l1->hits.value(), 1u);
}

TEST_F(memory_test, l1_passes_on_stores_and_atomics_and_drops_their_lines) {
  tpc(with_l1);
  run(load(data_type::b32, 0x2000, 4));
  run(store(data_type::b32, 0x2000, 4));
  for_lanes([&](unsigned lane) { EXPECT_EQ(tpc().dram.word(0x2000 + 4 * lane), 0x01010101u * lane); });
  warp_instruction& after = load(data_type::b32, 0x2000, 4);
  run(after);
  for_lanes([&](unsigned lane) { EXPECT_EQ(after.values.destination[0].lane[lane], 0x01010101u * lane); });
  EXPECT_EQ(tpc().dram.seen.size(), 3u);
  EXPECT_EQ(tpc().memory.l1->evictions.value(), 1u);
}

TEST_F(memory_test, load_past_the_l1_moves_only_what_it_touches) {
  tpc(with_l1);
  isa::instruction past = memory_instruction(operation::ld_global, data_type::b32);
  past.access.past_l1 = true;
  warp_instruction& o = tpc().operation(past, 0);
  for_lanes([&](unsigned lane) { o.values.address.lane[lane] = 0x2000 + lane % 4 * 4; });
  run(o);
  ASSERT_EQ(tpc().dram.seen.size(), 1u);
  EXPECT_EQ(tpc().dram.seen[0].bytes, 32u);
  EXPECT_EQ(tpc().dram.seen[0].extension.kind, memory_kind::load);
  EXPECT_EQ(tpc().memory.l1->misses.value(), 0u);
}

TEST_F(memory_test, warp_without_an_l1_has_transactions_of_what_it_touches) {
  tpc({"tpc.memory.coalescer.rule=2.0"});
  run(load(data_type::b32, 0x2000, 4));
  run(load(data_type::u8, 0x2000, 1));
  run(load(data_type::b64, 0x2000, 8));
  ASSERT_EQ(tpc().dram.seen.size(), 4u);
  EXPECT_EQ(tpc().dram.seen[0].bytes, 128u);
  EXPECT_EQ(tpc().dram.seen[0].extension.lanes, 0xffffffffu);
  EXPECT_EQ(tpc().dram.seen[1].bytes, 32u);
  EXPECT_EQ(tpc().dram.seen[2].extension.lanes, 0x0000ffffu);
  EXPECT_EQ(tpc().dram.seen[3].address, 0x2080u);
}

}  // namespace
}  // namespace gt200::model
