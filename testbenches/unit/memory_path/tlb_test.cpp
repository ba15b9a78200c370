// Translation of a warp's addresses: which level hits, in which cycle, and which accesses fault. The page walker is
// scripted: it answers each walk after ten cycles.
#include "sc_models/memory_path/tlb.h"

#include <gtest/gtest.h>

#include <functional>

#include "testbenches/support/systemc_test.h"
#include "testbenches/support/token_stages.h"
#include "testbenches/unit/warp_operations.h"

namespace gt200::model {
namespace {

using arch_state::fault_kind;
using testing::for_lanes;
using tlm_bus::cycle_t;

constexpr cycle_t l1_latency = 2;
constexpr cycle_t l2_latency = 20;
constexpr cycle_t walk_latency = 10;
constexpr std::uint64_t page = 4096;

config::tlb_config small_tlb() {
  config::tlb_config c;
  c.l1_entries = 2;
  c.l1_page_bytes = 64 * 1024;
  c.l1_hit_latency_cycles = l1_latency;
  c.l2_entries = 16;
  c.l2_ways = 4;
  c.l2_page_bytes = page;
  c.l2_hit_latency_cycles = l2_latency;
  c.directory_entries = 4;
  return c;
}

class scripted_walker : public tlm_bus::stage {
 public:
  scripted_walker(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain)
      : stage(name, domain), requests("requests", *this, 1), results("results", *this) {}

  tlm_bus::pipe_in<walk_request_token> requests;
  tlm_bus::pipe_out<walk_result_token> results;
  std::vector<support::timed<std::uint64_t>> walks;  // addresses
  // What a walk finds. Default: each page is mapped 16 MB higher, by itself.
  std::function<walk_result_token(std::uint64_t)> find = [](std::uint64_t address) {
    const std::uint64_t first = address / page * page;
    return walk_result_token{true, {first, page, first + 0x1000000, false}};
  };

 private:
  void tick() override {
    const walk_request_token* request = requests.front();
    if (request == nullptr) return;
    if (answer_at_ == tlm_bus::no_cycle) {
      walks.push_back({cycle(), request->address});
      answer_at_ = cycle() + walk_latency;
    }
    if (cycle() < answer_at_) {
      wake_at(answer_at_);
      return;
    }
    results.send(find(request->address));
    requests.pop();
    answer_at_ = tlm_bus::no_cycle;
  }
  cycle_t answer_at_ = tlm_bus::no_cycle;
};

class tlb_test : public support::systemc_test {
 protected:
  explicit tlb_test(const config::tlb_config& levels = small_tlb()) : unit("tlb", uncore(), levels) {
    source.out.bind(unit.from_address_generation);
    unit.to_coalescer.bind(sink.in);
    unit.to_page_walker.bind(walker.requests);
    walker.results.bind(unit.from_page_walker);
  }
  // A load of 32 addresses.
  memory_access& load(const std::function<std::uint32_t(unsigned)>& address) {
    warp_instruction& o = warp.operation(isa::instruction());
    accesses_.emplace_back();
    memory_access& a = accesses_.back();
    a.operation = &o;
    a.lanes = o.executed;
    for_lanes([&](unsigned lane) {
      o.values.address.lane[lane] = address(lane);
      a.address_spread |= address(lane) ^ address(0);
    });
    return a;
  }
  memory_access& load(std::uint32_t base) {
    return load([=](unsigned lane) { return base + 4 * lane; });
  }
  void send(memory_access& a, cycle_t at) { source.send_at(at, {&a}); }
  // When the coalescer took it.
  cycle_t done_at(const memory_access& a) const {
    for (const auto& t : sink.taken)
      if (t.value.access == &a) return t.cycle;
    return tlm_bus::no_cycle;
  }
  // Cycles from the sending of a single access until the coalescer took it.
  cycle_t time_of(memory_access& a) {
    const cycle_t sent = uncore().cycle() + 5;
    send(a, sent);
    run_until_idle();
    return done_at(a) - sent;
  }

  static constexpr cycle_t hit = l1_latency + 1;  // seen by the coalescer a cycle after it was sent
  static constexpr cycle_t l2_hit = hit + l2_latency;
  // To the walker 1, the walk, back 1.
  static constexpr cycle_t miss = l2_hit + 1 + walk_latency + 1;

  testing::warp_operations warp;
  support::token_source<memory_access_token> source{"source", uncore()};
  tlb unit;
  support::token_sink<memory_access_token> sink{"sink", uncore(), 2};
  scripted_walker walker{"walker", uncore()};

 private:
  std::deque<memory_access> accesses_;
};

TEST_F(tlb_test, an_unknown_page_is_walked_for_and_known_from_then_on) {
  EXPECT_EQ(time_of(load(0x1000)), miss);
  EXPECT_EQ(time_of(load(0x1f00)), hit);
  EXPECT_EQ(walker.walks.size(), 1u);
  EXPECT_EQ(unit.l1_misses.value(), 1u);
  EXPECT_EQ(unit.l2_misses.value(), 1u);
  EXPECT_EQ(unit.l1_hits.value(), 1u);
}

TEST_F(tlb_test, all_lanes_of_a_block_have_one_offset) {
  memory_access& a = load(0x1000);
  time_of(a);
  EXPECT_TRUE(a.uniform_offset);
  for_lanes([&](unsigned lane) { EXPECT_EQ(a.physical_address(lane), 0x1001000u + 4 * lane); });
}

TEST_F(tlb_test, each_entry_an_access_needs_takes_a_cycle) {
  time_of(load(0x1000));
  time_of(load(0x2000));
  memory_access& both = load([](unsigned lane) { return lane < 10 ? 0x1000u : 0x2000u; });
  EXPECT_EQ(time_of(both), hit + 1);
}

TEST_F(tlb_test, what_only_the_second_level_knows_adds_its_latency) {
  for (const std::uint32_t p : {0x1000u, 0x2000u, 0x3000u}) time_of(load(p));  // the first level has two entries
  EXPECT_EQ(time_of(load(0x1000)), l2_hit);
  EXPECT_EQ(time_of(load(0x1000)), hit) << "it is in the first level again";
  EXPECT_EQ(unit.l2_misses.value(), 3u);
}

TEST_F(tlb_test, every_page_the_second_level_does_not_know_is_a_walk_of_its_own) {
  memory_access& two = load([](unsigned lane) { return lane % 2 == 0 ? 0x1000u : 0x2000u; });
  // The second look-up begins a cycle after the first walk has come back.
  EXPECT_EQ(time_of(two), miss + 1 + l2_latency + 1 + walk_latency + 1);
  ASSERT_EQ(walker.walks.size(), 2u);
  EXPECT_EQ(walker.walks[0].value, 0x1000u) << "the lowest lane first";
  EXPECT_EQ(walker.walks[1].value, 0x2000u);
}

TEST_F(tlb_test, pages_at_different_offsets_give_each_lane_its_own_address) {
  walker.find = [](std::uint64_t address) {
    const std::uint64_t first = address / page * page;
    return walk_result_token{true, {first, page, first == 0x1000 ? 0x700000u : 0x500000u, false}};
  };
  memory_access& a = load([](unsigned lane) { return lane < 16 ? 0x1004u : 0x2008u; });
  time_of(a);
  EXPECT_FALSE(a.uniform_offset);
  for_lanes([&](unsigned lane) { EXPECT_EQ(a.physical_address(lane), lane < 16 ? 0x700004u : 0x500008u); });
}

TEST_F(tlb_test, an_entry_of_the_first_level_covers_a_contiguous_block) {
  walker.find = [](std::uint64_t) { return walk_result_token{true, {0x10000, 0x10000, 0x910000, false}}; };
  time_of(load(0x10000));
  EXPECT_EQ(time_of(load(0x1f000)), hit) << "another page of the block";
  EXPECT_EQ(walker.walks.size(), 1u);
}

TEST_F(tlb_test, a_younger_access_waits_for_the_older_ones_walk) {
  time_of(load(0x1000));
  memory_access& missing = load(0x5000);
  memory_access& present = load(0x1000);
  const cycle_t sent = uncore().cycle() + 5;
  send(missing, sent);
  send(present, sent + 1);
  run_until_idle();
  EXPECT_EQ(done_at(missing), sent + miss);
  EXPECT_EQ(done_at(present), sent + miss + 1);
}

TEST_F(tlb_test, hits_follow_each_other_every_cycle) {
  time_of(load(0x1000));
  const cycle_t sent = uncore().cycle() + 5;
  std::vector<memory_access*> stream;
  for (unsigned i = 0; i < 4; ++i) {
    stream.push_back(&load(0x1000));
    send(*stream.back(), sent + i);
  }
  run_until_idle();
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(done_at(*stream[i]), sent + i + hit);
}

TEST_F(tlb_test, lanes_in_unmapped_pages_are_a_fault_and_are_not_remembered) {
  walker.find = [](std::uint64_t address) {
    const std::uint64_t first = address / page * page;
    return walk_result_token{first != 0x2000, {first, page, first, false}};
  };
  memory_access& a = load([](unsigned lane) { return lane == 3 || lane == 9 ? 0x2000u + lane * 4 : 0x1000u; });
  time_of(a);
  EXPECT_EQ(a.lanes, 0u) << "no lane accesses memory";
  EXPECT_EQ(a.operation->fault, fault_kind::unmapped_address);
  EXPECT_EQ(a.operation->fault_lanes, 1u << 3 | 1u << 9);
  EXPECT_EQ(a.operation->fault_address, 0x200cu);
  EXPECT_EQ(unit.faults.value(), 1u);
  time_of(load(0x2000));
  EXPECT_EQ(walker.walks.size(), 3u) << "the page is looked for again";
}

TEST_F(tlb_test, read_only_pages_can_be_loaded_from_and_not_stored_to) {
  walker.find = [](std::uint64_t address) {
    const std::uint64_t first = address / page * page;
    return walk_result_token{true, {first, page, first, true}};
  };
  memory_access& read = load(0x1000);
  time_of(read);
  EXPECT_EQ(read.operation->fault, fault_kind::none);
  memory_access& write = load(0x1000);
  write.kind = memory_kind::store;
  time_of(write);
  EXPECT_EQ(write.operation->fault, fault_kind::protected_address);
  EXPECT_EQ(write.operation->fault_lanes, 0xffffffffu);
  EXPECT_EQ(write.lanes, 0u);
}

TEST_F(tlb_test, of_both_kinds_of_fault_the_unmapped_lanes_are_reported) {
  walker.find = [](std::uint64_t address) {
    const std::uint64_t first = address / page * page;
    return walk_result_token{first == 0x1000, {first, page, first, true}};
  };
  memory_access& a = load([](unsigned lane) { return lane == 31 ? 0x2000u : 0x1000u; });
  a.kind = memory_kind::store;
  time_of(a);
  EXPECT_EQ(a.operation->fault, fault_kind::unmapped_address);
  EXPECT_EQ(a.operation->fault_lanes, 1u << 31);
}

TEST_F(tlb_test, an_access_without_lanes_passes) {
  memory_access& a = load(0x1000);
  a.lanes = 0;
  EXPECT_EQ(time_of(a), hit);
  EXPECT_TRUE(walker.walks.empty());
}

config::tlb_config second_level_of_large_pages() {
  config::tlb_config c = small_tlb();
  c.l1_page_bytes = page;
  c.l2_page_bytes = 64 * 1024;
  return c;
}

class tlb_of_large_pages_test : public tlb_test {
 protected:
  tlb_of_large_pages_test() : tlb_test(second_level_of_large_pages()) {}
};

TEST_F(tlb_of_large_pages_test, the_second_level_may_cover_more_than_an_entry_of_the_first) {
  walker.find = [](std::uint64_t) { return walk_result_token{true, {0x10000, 0x10000, 0x910000, false}}; };
  EXPECT_EQ(time_of(load(0x10000)), miss);
  memory_access& next = load(0x1f000);
  EXPECT_EQ(time_of(next), l2_hit) << "the first level has one page of the block, the second all of it";
  for_lanes([&](unsigned lane) { EXPECT_EQ(next.physical_address(lane), 0x91f000u + 4 * lane); });
  EXPECT_EQ(time_of(load(0x1f000)), hit);
  EXPECT_EQ(walker.walks.size(), 1u);
}

}  // namespace
}  // namespace gt200::model
