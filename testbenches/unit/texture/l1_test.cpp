// Look-ups, fills and order of the texture L1 in exact cycles. Memory answers ten cycles after it has taken a fill.
#include "sc_models/texture/l1.h"

#include <gtest/gtest.h>

#include "sc_models/ids.h"
#include "testbenches/support/script.h"
#include "testbenches/unit/cluster_harness.h"
#include "testbenches/unit/texture/texture_instructions.h"

namespace gt200::model {
namespace {

using arch_state::fault_kind;
using testing::for_lanes;
using tlm_bus::cycle_t;

constexpr cycle_t hit_latency = 5;
constexpr std::uint32_t line = 32;

class texture_l1_test : public support::systemc_test {
 protected:
  static config::texture_l1_config geometry() {
    config::texture_l1_config c;
    c.bytes = 1024;
    c.ways = 4;
    c.line_bytes = line;
    c.hit_latency_cycles = hit_latency;
    c.mshrs = 8;
    c.instances = 1;
    c.lookups_per_cycle = 1;
    return c;
  }
  void build(const config::texture_l1_config& c = geometry(), unsigned write_latency = 0) {
    config_ = c;
    source = std::make_unique<support::token_source<texture_access_token>>("source", uncore());
    cache = std::make_unique<texture_l1>("l1", uncore(), config_, 3, false, write_latency);
    sink = std::make_unique<support::token_sink<texture_access_token>>("sink", uncore(), 2);
    dram = std::make_unique<testing::test_memory>("dram", uncore(), 0x10000, pages);
    source->out.bind(cache->from_address);
    cache->fills.bind(dram->port);
    cache->to_filter.bind(sink->in);
    for (std::uint32_t word = 0; word < 0x4000; ++word) dram->set_word(4 * word, word);
  }
  // One texel of 4 bytes per lane, at base + stride * lane.
  texture_access& access(std::uint64_t base, std::uint64_t stride = 0, unsigned sm = 0) {
    accesses_.emplace_back();
    texture_access& a = accesses_.back();
    a.operation = &warp.operation(testing::fetch_instruction(0), sm);
    a.binding = &binding_;
    a.taps = 1;
    a.lanes = 0xffffffff;
    for_lanes([&](unsigned lane) { a.physical[0][lane] = base + stride * lane; });
    return a;
  }
  void send(texture_access& a, cycle_t at) { source->send_at(at, {&a}); }
  // When the filter took it.
  cycle_t done_at(const texture_access& a) const {
    for (const auto& t : sink->taken)
      if (t.value.access == &a) return t.cycle;
    return tlm_bus::no_cycle;
  }
  // Cycles from the sending of a single access until the filter took it.
  cycle_t time_of(texture_access& a) {
    const cycle_t sent = uncore().cycle() + 5;
    send(a, sent);
    run_until_idle();
    EXPECT_TRUE(cache->idle());
    return done_at(a) - sent;
  }
  static void expect_texels(const texture_access& a) {
    for_lanes([&](unsigned lane) { EXPECT_EQ(a.texel[0][lane][0], a.physical[0][lane] / 4) << "lane " << lane; });
  }

  // To the cache 1, to the filter 1.
  static constexpr cycle_t hit = 1 + hit_latency + 1;
  // The fill: to memory 1, there 10, back 1.
  static constexpr cycle_t miss = 1 + 1 + 10 + 1 + 1;

  testing::warp_operations warp;
  page_table pages{4096, 0x10000000};
  std::unique_ptr<support::token_source<texture_access_token>> source;
  std::unique_ptr<texture_l1> cache;
  std::unique_ptr<support::token_sink<texture_access_token>> sink;
  std::unique_ptr<testing::test_memory> dram;

 private:
  config::texture_l1_config config_;
  texture_binding binding_;
  std::deque<texture_access> accesses_;
};

TEST_F(texture_l1_test, a_miss_fetches_its_line_and_later_accesses_hit) {
  build();
  texture_access& first = access(0x108);
  EXPECT_EQ(time_of(first), miss);
  expect_texels(first);
  EXPECT_EQ(first.operation->caches_missed, 1u);
  texture_access& again = access(0x104);
  EXPECT_EQ(time_of(again), hit);
  expect_texels(again);
  EXPECT_EQ(again.operation->caches_missed, 0u);
  ASSERT_EQ(dram->seen.size(), 1u);
  EXPECT_EQ(dram->seen[0].address, 0x100u);
  EXPECT_EQ(dram->seen[0].bytes, line);
  EXPECT_EQ(cache->misses.value(), 1u);
  EXPECT_EQ(cache->hits.value(), 1u);
}

TEST_F(texture_l1_test, a_fill_says_for_whom_it_is) {
  build();
  texture_access& a = access(0x100, 0, 2);
  a.operation->warp = warp_slot(7);
  time_of(a);
  const memory_extension& e = dram->seen.at(0).extension;
  EXPECT_EQ(e.space, memory_space::texture);
  EXPECT_EQ(e.kind, memory_kind::fill);
  EXPECT_EQ(e.transaction_id, id_base(id_kind::texture, 3) + 1);
  EXPECT_EQ(e.instruction_id, a.operation->id);
  EXPECT_EQ(e.tpc, 3u);
  EXPECT_EQ(e.sm, 2u);
  EXPECT_EQ(e.warp, warp_slot(7));
}

TEST_F(texture_l1_test, each_different_line_takes_a_look_up) {
  build();
  time_of(access(0x100, 4));  // 32 words in four lines
  texture_access& again = access(0x100, 4);
  EXPECT_EQ(time_of(again), hit + 3);
  expect_texels(again);
  EXPECT_EQ(cache->misses.value(), 4u);
  EXPECT_EQ(cache->hits.value(), 4u);
}

TEST_F(texture_l1_test, several_lines_may_be_looked_up_in_a_cycle) {
  config::texture_l1_config c = geometry();
  c.lookups_per_cycle = 2;
  build(c);
  time_of(access(0x100, 4));
  EXPECT_EQ(time_of(access(0x100, 4)), hit + 1);
}

TEST_F(texture_l1_test, one_miss_leaves_per_cycle_however_many_look_ups_there_are) {
  config::texture_l1_config c = geometry();
  c.lookups_per_cycle = 4;
  build(c);
  texture_access& a = access(0x100, 4);
  EXPECT_EQ(time_of(a), miss + 3);
  expect_texels(a);
  ASSERT_EQ(dram->seen.size(), 4u);
  for (unsigned i = 1; i < 4; ++i) EXPECT_EQ(dram->seen[i].cycle, dram->seen[0].cycle + i);
}

TEST_F(texture_l1_test, misses_to_one_line_share_a_fill) {
  build();
  texture_access& a = access(0x100);
  texture_access& b = access(0x104);
  send(a, 5);
  send(b, 6);
  run_until_idle();
  EXPECT_EQ(dram->seen.size(), 1u);
  EXPECT_EQ(done_at(a), 5 + miss);
  EXPECT_EQ(done_at(b), 5 + miss + 1) << "one access goes to the filter per cycle";
  EXPECT_EQ(b.operation->caches_missed, 1u);
  expect_texels(b);
  EXPECT_EQ(cache->hits.value(), 1u) << "a look-up of a line on its way";
}

TEST_F(texture_l1_test, accesses_leave_in_order_and_misses_overlap) {
  build();
  time_of(access(0x100));
  dram->latency = [](std::size_t) { return 50u; };
  texture_access& slow = access(0x200);
  texture_access& present = access(0x100);
  texture_access& other = access(0x300);
  const cycle_t sent = uncore().cycle() + 5;
  send(slow, sent);
  send(present, sent + 1);
  send(other, sent + 2);
  run_until_idle();
  EXPECT_EQ(done_at(slow), sent + miss + 40);
  EXPECT_EQ(done_at(present), sent + miss + 41);
  EXPECT_EQ(done_at(other), sent + miss + 42);
}

TEST_F(texture_l1_test, without_a_free_mshr_a_miss_waits_for_a_fill) {
  config::texture_l1_config c = geometry();
  c.mshrs = 1;
  build(c);
  texture_access& a = access(0x100, 4);  // four lines
  EXPECT_EQ(time_of(a), 4 * (1 + 10 + 1) + 1 + 1) << "one after the other";
  expect_texels(a);
}

TEST_F(texture_l1_test, a_line_that_is_still_to_be_read_is_not_replaced) {
  config::texture_l1_config c = geometry();
  c.bytes = 2 * line;
  c.ways = 2;  // one set
  build(c);
  texture_access& a = access(0x000, line);  // 32 lines
  time_of(a);
  expect_texels(a);
  EXPECT_EQ(dram->seen.size(), 32u);
  EXPECT_EQ(dram->seen[1].cycle, dram->seen[0].cycle + 1);
  EXPECT_EQ(dram->seen[2].cycle, dram->seen[0].cycle + 12) << "when the first line has come and been read";
}

TEST_F(texture_l1_test, the_line_used_longest_ago_makes_room) {
  config::texture_l1_config c = geometry();
  c.bytes = 2 * line;
  c.ways = 2;
  build(c);
  time_of(access(0x100));
  time_of(access(0x200));
  time_of(access(0x100));
  time_of(access(0x300));
  EXPECT_EQ(time_of(access(0x100)), hit);
  EXPECT_EQ(time_of(access(0x200)), miss);
}

TEST_F(texture_l1_test, an_sm_uses_the_cache_of_its_number) {
  config::texture_l1_config c = geometry();
  c.instances = 2;
  build(c);
  time_of(access(0x100, 0, 0));
  EXPECT_EQ(time_of(access(0x100, 0, 1)), miss) << "SM 1 has another cache";
  EXPECT_EQ(time_of(access(0x100, 0, 2)), hit) << "SM 2 shares that of SM 0";
}

TEST_F(texture_l1_test, a_refused_fill_is_a_fault_of_the_lanes_that_needed_it) {
  build();
  texture_access& a = access(0x100);
  for (unsigned lane = 16; lane < 32; ++lane) a.physical[0][lane] = 0x20000;  // outside the memory
  time_of(a);
  EXPECT_EQ(a.operation->fault, fault_kind::unmapped_address);
  EXPECT_EQ(a.operation->fault_lanes, 0xffff0000u);
  EXPECT_EQ(cache->faults.value(), 1u);
  time_of(access(0x20000));
  EXPECT_EQ(cache->faults.value(), 2u) << "it is fetched again";
}

TEST_F(texture_l1_test, a_command_forgets_all_lines) {
  build();
  time_of(access(0x100));
  cache->invalidate();
  EXPECT_EQ(time_of(access(0x100)), miss);
}

TEST_F(texture_l1_test, a_line_invalidated_on_its_way_serves_those_that_wait_and_nobody_later) {
  build();
  support::script commander("commander", uncore());
  texture_access& before = access(0x100);
  texture_access& after = access(0x100);
  send(before, 5);
  commander.at(10, [&] { cache->invalidate(); });
  send(after, 30);
  run_until_idle();
  EXPECT_EQ(done_at(before), 5 + miss);
  expect_texels(before);
  EXPECT_EQ(done_at(after), 30 + miss);
  EXPECT_EQ(dram->seen.size(), 2u);
}

TEST_F(texture_l1_test, a_write_to_a_texture_empties_all_caches_when_it_has_come) {
  config::texture_l1_config c = geometry();
  c.instances = 2;
  build(c, 20);
  support::token_source<texture_write_token> writer("writer", uncore());
  writer.out.bind(*cache->texture_writes);
  time_of(access(0x100, 0, 0));
  time_of(access(0x100, 0, 1));
  const cycle_t sent = uncore().cycle() + 5;
  writer.send_at(sent, {0x100});
  texture_access& before = access(0x100);
  texture_access& after = access(0x100);
  texture_access& of_the_other = access(0x100, 0, 1);
  send(before, sent + 18);
  send(after, sent + 40);
  send(of_the_other, sent + 80);
  run_until_idle();
  EXPECT_EQ(done_at(before), sent + 18 + hit);
  EXPECT_EQ(done_at(after), sent + 40 + miss);
  EXPECT_EQ(done_at(of_the_other), sent + 80 + miss);
}

TEST_F(texture_l1_test, an_access_without_lanes_passes_as_a_hit) {
  build();
  texture_access& a = access(0x100);
  a.lanes = 0;
  EXPECT_EQ(time_of(a), hit);
  EXPECT_TRUE(dram->seen.empty());
}

}  // namespace
}  // namespace gt200::model
