// A cache of data: when it answers, what it fetches and writes back and in which order, which access passes on and
// drops its line, and that a load always has the bytes that its place in the order asks for.
#include "sc_models/cache/data_cache.h"

#include <algorithm>
#include <memory>
#include <numeric>

#include "testbenches/subsystem/memory/traffic.h"
#include "testbenches/support/systemc_test.h"

namespace gt200::model {
namespace {

using support::asked;
using bytes = std::vector<std::uint8_t>;

constexpr unsigned hit_latency = 5;
constexpr unsigned memory_latency = 20;
constexpr unsigned line_bytes = 128;

// Like an L1: local memory is kept, stores to global memory and atomics pass on.
cache_treatment like_l1(const tlm::tlm_generic_payload& request) {
  const memory_extension& e = *extension_of(request);
  if (e.kind == memory_kind::clean_line || e.kind == memory_kind::drop_line) return cache_treatment::controlling;
  if (e.space == memory_space::local) return cache_treatment::cached;
  if (e.space != memory_space::global || e.past_l1) return cache_treatment::uncached;
  return e.kind == memory_kind::store || e.kind == memory_kind::atomic ? cache_treatment::evicting
                                                                       : cache_treatment::cached;
}
cache_treatment always(const tlm::tlm_generic_payload&) { return cache_treatment::cached; }

class data_cache_test : public support::systemc_test {
 protected:
  using cache = data_cache<gpu_memory_protocol>;
  using source_stage = support::memory_source<gpu_memory_protocol>;
  using memory_stage = support::fixed_latency_memory<gpu_memory_protocol>;

  // Two sets of two lines.
  static config::data_cache_config geometry() {
    config::data_cache_config c;
    c.enabled = true;
    c.bytes = 4 * line_bytes;
    c.ways = 2;
    c.line_bytes = line_bytes;
    c.hit_latency_cycles = hit_latency;
    c.mshrs = 4;
    c.miss_queue_entries = 8;
    return c;
  }
  static data_cache_role role(cache_rule rule, fetch_size fetches) {
    data_cache_role r;
    r.rule = rule;
    r.fetches = fetches;
    return r;
  }
  void build(const data_cache_role& r, const config::data_cache_config& config = geometry(),
             const tlm_bus::clocking_options& options = {}) {
    clock(options);
    backing = std::make_unique<memory_stage>("backing", uncore(), memory_latency);
    level = std::make_unique<cache>("level", uncore(), config, r);
    source = std::make_unique<source_stage>("source", uncore());
    source->out.bind(level->requests);
    level->memory.bind(backing->in);
    backing->fill(0, 4096);
  }
  void build_l2() { build(role(always, fetch_size::sectors)); }
  void build_l1() { build(role(like_l1, fetch_size::line)); }

  static bytes original(std::uint64_t address, unsigned count) { return memory_stage::values_at(address, count); }
  bytes in_memory(std::uint64_t address, unsigned count) {
    bytes all;
    for (unsigned i = 0; i < count; ++i) all.push_back(backing->bytes[address + i]);
    return all;
  }
  // Local memory of an L1.
  memory_payload& local(memory_payload& p) {
    p.extension().space = memory_space::local;
    return p;
  }
  const bytes& answer(std::uint64_t id) const { return source->answer_of(id).data; }
  void expect_nothing_left() {
    EXPECT_EQ(level->outstanding(), 0u);
    EXPECT_EQ(source->pool.outstanding(), 0u);
  }

  std::unique_ptr<memory_stage> backing;
  std::unique_ptr<cache> level;
  std::unique_ptr<source_stage> source;
};

// -- when --

TEST_F(data_cache_test, hit_is_answered_after_the_hit_latency) {
  build_l2();
  source->load_at(10, 128, 128);
  source->load_at(100, 160, 32);
  run_until_idle();
  EXPECT_EQ(source->answer_of(2).cycle, 101 + hit_latency + 1);
  EXPECT_EQ(answer(2), original(160, 32));
  EXPECT_EQ(level->hits.value(), 1u);
  EXPECT_EQ(level->misses.value(), 1u);
  expect_nothing_left();
}

TEST_F(data_cache_test, miss_is_answered_in_the_cycle_after_its_fill) {
  build_l2();
  source->load_at(10, 128, 128);
  run_until_idle();
  // Looked up and asked for in 11, taken by the memory in 12, answered 20 later, seen in 33.
  EXPECT_EQ(backing->requests, (std::vector<asked>{{12, tlm::TLM_READ_COMMAND, 128, 128}}));
  EXPECT_EQ(source->answer_of(1).cycle, 12 + memory_latency + 1 + 1 + 1);
  EXPECT_EQ(answer(1), original(128, 128));
}

TEST_F(data_cache_test, store_is_acknowledged_like_a_hit_and_fetches_nothing) {
  build_l2();
  source->store_at(10, 256, bytes(32, 0xaa));
  run_until_idle();
  EXPECT_EQ(source->answer_of(1).cycle, 11 + hit_latency + 1);
  EXPECT_TRUE(backing->requests.empty());
  EXPECT_EQ(level->stores.value(), 1u);
}

TEST_F(data_cache_test, one_request_per_cycle_hits) {
  build_l2();
  source->load_at(10, 128, 128);
  for (unsigned i = 0; i < 32; ++i) source->load_at(100 + i, 128 + 4 * i, 4);
  run_until_idle();
  for (unsigned i = 0; i < 32; ++i) {
    EXPECT_EQ(source->answer_of(2 + i).cycle, 101 + i + hit_latency + 1);
    EXPECT_EQ(answer(2 + i), original(128 + 4 * i, 4));
  }
}

// -- what is fetched --

TEST_F(data_cache_test, cache_of_sectors_fetches_what_is_needed) {
  build_l2();
  source->load_at(10, 140, 4);
  source->load_at(100, 128, 32);  // hits
  source->load_at(200, 128, 64);  // lacks the second sector
  source->load_at(300, 192, 64);
  run_until_idle();
  EXPECT_EQ(backing->requests.size(), 3u);
  EXPECT_EQ(backing->requests[0], (asked{12, tlm::TLM_READ_COMMAND, 128, 32}));
  EXPECT_EQ(backing->requests[1], (asked{202, tlm::TLM_READ_COMMAND, 128, 64}));
  EXPECT_EQ(backing->requests[2], (asked{302, tlm::TLM_READ_COMMAND, 192, 64}));
  EXPECT_EQ(level->hits.value(), 1u);
  EXPECT_EQ(answer(3), original(128, 64));
  EXPECT_EQ(answer(4), original(192, 64));
}

TEST_F(data_cache_test, cache_of_lines_fetches_the_line) {
  build_l1();
  source->load_at(10, 140, 4);
  source->load_at(100, 192, 64);
  run_until_idle();
  EXPECT_EQ(backing->requests, (std::vector<asked>{{12, tlm::TLM_READ_COMMAND, 128, 128}}));
  EXPECT_EQ(answer(2), original(192, 64));
}

TEST_F(data_cache_test, misses_to_one_line_merge) {
  build_l1();
  for (unsigned i = 0; i < 4; ++i) source->load_at(10 + i, 128 + 32 * i, 32);
  run_until_idle();
  EXPECT_EQ(backing->requests.size(), 1u);
  EXPECT_EQ(level->merged.value(), 3u);
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(answer(1 + i), original(128 + 32 * i, 32));
}

TEST_F(data_cache_test, stores_that_wait_for_a_line_are_counted_apart_from_the_loads) {
  build_l2();
  source->load_at(10, 128, 32);
  source->load_at(11, 128, 32);
  source->store_at(12, 132, bytes(4, 7));
  run_until_idle();
  EXPECT_EQ(level->misses.value(), 1u);
  EXPECT_EQ(level->merged.value(), 2u);
  EXPECT_EQ(level->merged_stores.value(), 1u);
  EXPECT_EQ(level->stores.value(), 1u);
}

TEST_F(data_cache_test, load_of_other_sectors_of_a_line_in_flight_fetches_them_after_it) {
  build_l2();
  source->load_at(10, 128, 32);
  source->load_at(11, 224, 32);
  source->load_at(12, 128, 4);
  run_until_idle();
  ASSERT_EQ(backing->requests.size(), 2u);
  EXPECT_EQ(backing->requests[1].address, 224u);
  EXPECT_EQ(answer(1), original(128, 32));
  EXPECT_EQ(answer(2), original(224, 32));
  EXPECT_EQ(answer(3), original(128, 4));
  expect_nothing_left();
}

TEST_F(data_cache_test, without_a_free_mshr_a_miss_waits) {
  auto config = geometry();
  config.mshrs = 1;
  build(role(always, fetch_size::sectors), config);
  source->load_at(10, 0, 32);
  source->load_at(11, 128, 32);
  run_until_idle();
  ASSERT_EQ(backing->requests.size(), 2u);
  // The first fill is there in 33: the second look-up succeeds in this cycle.
  EXPECT_EQ(backing->requests[1].cycle, 33u + 1);
  EXPECT_EQ(answer(2), original(128, 32));
}

TEST_F(data_cache_test, lines_in_flight_do_not_give_way) {
  build_l2();
  for (unsigned i = 0; i < 3; ++i) source->load_at(10 + i, 256 * i, 32);  // one set has two lines
  run_until_idle();
  ASSERT_EQ(backing->requests.size(), 3u);
  EXPECT_EQ(backing->requests[2].cycle, 33u + 1);
  for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(answer(1 + i), original(256 * i, 32));
}

// -- write-back --

TEST_F(data_cache_test, stored_bytes_are_read_without_a_fetch_and_others_are_fetched_around_them) {
  build_l2();
  source->store_at(10, 132, {1, 2, 3, 4});
  source->load_at(100, 132, 4);
  source->load_at(200, 128, 32);
  run_until_idle();
  EXPECT_EQ(answer(2), (bytes{1, 2, 3, 4}));
  bytes merged = original(128, 32);
  std::iota(merged.begin() + 4, merged.begin() + 8, std::uint8_t{1});
  EXPECT_EQ(answer(3), merged);
  EXPECT_EQ(backing->requests.size(), 1u);
}

TEST_F(data_cache_test, dirty_line_goes_to_memory_before_the_fill_of_the_line_that_replaces_it) {
  build_l2();
  source->store_at(10, 36, {1, 2, 3, 4});
  source->load_at(100, 256, 32);
  source->load_at(200, 512, 32);  // the third line of the set
  source->load_at(300, 32, 32);   // fetched again
  run_until_idle();
  ASSERT_EQ(backing->requests.size(), 4u);
  EXPECT_EQ(backing->requests[1], (asked{202, tlm::TLM_WRITE_COMMAND, 32, 32}))
      << "the sector with the dirty bytes";
  EXPECT_EQ(backing->requests[2], (asked{203, tlm::TLM_READ_COMMAND, 512, 32}));
  bytes expected = original(32, 32);
  std::iota(expected.begin() + 4, expected.begin() + 8, std::uint8_t{1});
  EXPECT_EQ(in_memory(32, 32), expected);
  EXPECT_EQ(answer(4), expected);
  EXPECT_EQ(level->write_backs.value(), 1u);
  expect_nothing_left();
}

TEST_F(data_cache_test, store_that_misses_replaces_a_dirty_line_too) {
  build_l2();
  for (unsigned i = 0; i < 3; ++i) source->store_at(10 + i, 256 * i, bytes(4, static_cast<std::uint8_t>(i + 1)));
  run_until_idle();
  ASSERT_EQ(backing->requests.size(), 1u);
  EXPECT_EQ(backing->requests[0].address, 0u);
  EXPECT_EQ(in_memory(0, 4), bytes(4, 1));
}

// -- order at a line in flight --

TEST_F(data_cache_test, accesses_to_a_line_in_flight_keep_their_order) {
  build_l2();
  source->load_at(10, 128, 4);
  source->store_at(11, 128, {1, 2, 3, 4});
  source->load_at(12, 128, 4);
  source->store_at(13, 130, {9, 9});
  source->load_at(14, 128, 4);
  run_until_idle();
  EXPECT_EQ(answer(1), original(128, 4)) << "before the store";
  EXPECT_EQ(answer(3), (bytes{1, 2, 3, 4}));
  EXPECT_EQ(answer(5), (bytes{1, 2, 9, 9}));
}

// -- accesses that pass on --

TEST_F(data_cache_test, evicting_store_passes_on_and_drops_its_line) {
  build_l1();
  source->load_at(10, 128, 4);
  source->store_at(100, 128, {1, 2, 3, 4});
  source->load_at(101, 128, 4);
  run_until_idle();
  ASSERT_EQ(backing->requests.size(), 3u);
  EXPECT_EQ(backing->requests[1], (asked{102, tlm::TLM_WRITE_COMMAND, 128, 4}));
  EXPECT_EQ(backing->requests[2], (asked{103, tlm::TLM_READ_COMMAND, 128, 128})) << "behind the store";
  EXPECT_EQ(answer(3), (bytes{1, 2, 3, 4}));
  EXPECT_EQ(level->evictions.value(), 1u);
  EXPECT_EQ(level->passed.value(), 1u);
}

TEST_F(data_cache_test, line_in_flight_that_a_store_drops_serves_only_loads_before_it) {
  build_l1();
  source->load_at(10, 128, 4);
  source->load_at(11, 132, 4);
  source->store_at(12, 128, {1, 2, 3, 4});
  source->load_at(13, 128, 4);
  source->load_at(100, 128, 4);
  run_until_idle();
  EXPECT_EQ(answer(1), original(128, 4));
  EXPECT_EQ(answer(2), original(132, 4));
  EXPECT_EQ(answer(4), (bytes{1, 2, 3, 4}));
  EXPECT_EQ(answer(5), (bytes{1, 2, 3, 4}));
  expect_nothing_left();
}

// As when a global address reaches a line of local memory.
TEST_F(data_cache_test, evicting_store_waits_for_a_line_in_flight_for_which_stores_wait) {
  build_l1();
  local(source->load_at(10, 128, 4));
  local(source->store_at(11, 132, {1, 2, 3, 4}));
  source->store_at(12, 128, {5, 6, 7, 8});
  local(source->load_at(13, 128, 8));
  run_until_idle();
  EXPECT_EQ(answer(1), original(128, 4));
  EXPECT_EQ(answer(4), (bytes{5, 6, 7, 8, 1, 2, 3, 4}));
  EXPECT_EQ(in_memory(128, 8), (bytes{5, 6, 7, 8, 1, 2, 3, 4}));
  expect_nothing_left();
}

TEST_F(data_cache_test, evicting_store_waits_for_a_line_in_flight_with_stored_bytes) {
  build_l1();
  local(source->store_at(10, 128, {1, 2, 3, 4}));
  local(source->load_at(20, 128, 8));
  source->store_at(21, 136, {5, 6, 7, 8});
  run_until_idle();
  bytes expected = {1, 2, 3, 4};
  for (const std::uint8_t byte : original(132, 4)) expected.push_back(byte);
  EXPECT_EQ(answer(2), expected);
  EXPECT_EQ(in_memory(128, 4), (bytes{1, 2, 3, 4}));
  EXPECT_EQ(in_memory(136, 4), (bytes{5, 6, 7, 8}));
  expect_nothing_left();
}

TEST_F(data_cache_test, uncached_load_reads_memory_and_leaves_the_line) {
  build_l1();
  source->load_at(10, 128, 4);
  source->load_at(200, 128, 4).extension().past_l1 = true;
  source->load_at(300, 128, 4);
  run_through(150, uncore());
  backing->bytes[128] = 0xee;
  run_until_idle();
  EXPECT_EQ(answer(2)[0], 0xee);
  EXPECT_EQ(answer(3), original(128, 4)) << "stale";
}

TEST_F(data_cache_test, fills_of_other_caches_pass) {
  build_l1();
  memory_payload& texture = source->load_at(10, 128, 32);
  texture.extension().space = memory_space::texture;
  texture.extension().kind = memory_kind::fill;
  run_until_idle();
  EXPECT_EQ(backing->requests, (std::vector<asked>{{12, tlm::TLM_READ_COMMAND, 128, 32}}));
  EXPECT_EQ(answer(1), original(128, 32));
  EXPECT_EQ(level->passed.value(), 1u);
}

TEST_F(data_cache_test, local_memory_stays_where_global_memory_passes) {
  build_l1();
  local(source->store_at(10, 128, {1, 2, 3, 4}));
  local(source->load_at(100, 128, 4)).extension().past_l1 = true;
  run_until_idle();
  EXPECT_TRUE(backing->requests.empty());
  EXPECT_EQ(answer(2), (bytes{1, 2, 3, 4})) << "no operator bypasses the only copy";
}

// -- commands and debug access --

class invalidator : public tlm_bus::stage {
 public:
  invalidator(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain) : stage(name, domain) {}
  sc_core::sc_port<cache_control_if> out{"out"};

 private:
  void tick() override { out->invalidate(); }
};

TEST_F(data_cache_test, invalidation_drops_lines_and_what_was_stored_in_them) {
  build_l1();
  invalidator launch("launch", uncore());
  launch.out.bind(level->control);
  launch.wake_at(200);
  source->load_at(10, 128, 4);
  local(source->store_at(100, 256, {1, 2, 3, 4}));
  source->load_at(300, 128, 4);
  local(source->load_at(400, 256, 4));
  run_through(150, uncore());
  backing->bytes[128] = 0xee;
  run_until_idle();
  EXPECT_EQ(answer(3)[0], 0xee);
  EXPECT_EQ(answer(4), original(256, 4));
  EXPECT_EQ(level->write_backs.value(), 0u);
  EXPECT_EQ(level->invalidations.value(), 1u);
}

class dropper final : public tlm_bus::stage {
 public:
  dropper(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain) : stage(name, domain) {}
  sc_core::sc_port<line_control_if> out{"out"};

 private:
  void tick() override { out->drop_clean_lines(); }
};

TEST_F(data_cache_test, lines_read_are_dropped_and_what_was_stored_stays) {
  build_l1();
  dropper control("control", uncore());
  control.out.bind(level->line_control);
  control.wake_at(200);
  source->load_at(10, 128, 4);
  local(source->store_at(100, 256, {1, 2, 3, 4}));
  source->load_at(300, 128, 4);
  local(source->load_at(400, 256, 4));
  run_through(150, uncore());
  backing->bytes[128] = 0xee;
  run_until_idle();
  EXPECT_EQ(answer(3)[0], 0xee);
  EXPECT_EQ(answer(4), (bytes{1, 2, 3, 4}));
  EXPECT_EQ(level->invalidations.value(), 1u);
}

TEST_F(data_cache_test, line_in_flight_that_is_dropped_serves_only_loads_before_it) {
  build_l1();
  dropper control("control", uncore());
  control.out.bind(level->line_control);
  control.wake_at(15);
  source->load_at(10, 128, 4);
  source->load_at(12, 160, 4);
  source->load_at(20, 128, 4);
  source->load_at(22, 192, 4);
  run_until_idle();
  EXPECT_EQ(backing->requests.size(), 2u);
  EXPECT_EQ(level->misses.value(), 2u);
  EXPECT_EQ(level->merged.value(), 2u);
  EXPECT_EQ(answer(1), original(128, 4));
  EXPECT_EQ(answer(2), original(160, 4));
  EXPECT_EQ(answer(3), original(128, 4));
  EXPECT_EQ(answer(4), original(192, 4));
  expect_nothing_left();
}

// Stores that wait for a line of local memory are not lost, and loads behind them see them.
TEST_F(data_cache_test, line_in_flight_with_a_store_waiting_stays) {
  build_l1();
  dropper control("control", uncore());
  control.out.bind(level->line_control);
  control.wake_at(20);
  local(source->load_at(10, 128, 4));
  local(source->store_at(12, 128, {1, 2, 3, 4}));
  local(source->load_at(30, 128, 4));
  run_until_idle();
  EXPECT_EQ(backing->requests.size(), 1u);
  EXPECT_EQ(answer(1), original(128, 4));
  EXPECT_EQ(answer(3), (bytes{1, 2, 3, 4}));
  expect_nothing_left();
}

// -- control of lines --

TEST_F(data_cache_test, a_line_that_is_dropped_is_written_back_before_and_fetched_anew) {
  build_l1();
  local(source->store_at(10, 256, {1, 2, 3, 4}));
  source->load_at(20, 128, 4);
  local(source->load_at(100, 256, 128)).extension().kind = memory_kind::drop_line;
  source->load_at(110, 128, 128).extension().kind = memory_kind::drop_line;
  run_through(200, uncore());
  EXPECT_EQ(in_memory(256, 4), (bytes{1, 2, 3, 4}));
  EXPECT_EQ(level->write_backs.value(), 1u);
  EXPECT_EQ(level->evictions.value(), 2u);
  EXPECT_EQ(source->answer_of(3).cycle, 101 + hit_latency + 1) << "nothing goes on to memory";
  backing->bytes[128] = 0xee;
  source->load_at(300, 128, 4);
  local(source->load_at(310, 256, 4));
  run_until_idle();
  EXPECT_EQ(answer(5)[0], 0xee);
  EXPECT_EQ(answer(6), (bytes{1, 2, 3, 4}));
  expect_nothing_left();
}

TEST_F(data_cache_test, a_line_that_is_cleaned_is_written_back_and_stays) {
  build_l1();
  local(source->load_at(10, 256, 4));
  local(source->store_at(100, 256, {1, 2, 3, 4}));
  local(source->load_at(120, 256, 128)).extension().kind = memory_kind::clean_line;
  local(source->load_at(122, 256, 128)).extension().kind = memory_kind::clean_line;
  local(source->load_at(130, 256, 4));
  run_until_idle();
  EXPECT_EQ(in_memory(256, 4), (bytes{1, 2, 3, 4}));
  EXPECT_EQ(level->write_backs.value(), 1u);
  EXPECT_EQ(level->misses.value(), 1u);
  EXPECT_EQ(answer(5), (bytes{1, 2, 3, 4}));
  expect_nothing_left();
}

// A store waits for the fetch: the line may go when it has been stored.
TEST_F(data_cache_test, control_of_a_line_in_flight_waits_for_it) {
  build_l1();
  local(source->load_at(10, 256, 4));
  local(source->store_at(11, 256, {1, 2, 3, 4}));
  local(source->load_at(12, 256, 128)).extension().kind = memory_kind::drop_line;
  run_until_idle();
  EXPECT_EQ(answer(1), original(256, 4));
  EXPECT_GT(source->answer_of(3).cycle, source->answer_of(1).cycle);
  EXPECT_EQ(in_memory(256, 4), (bytes{1, 2, 3, 4}));
  expect_nothing_left();
}

TEST_F(data_cache_test, a_line_whose_last_use_was_a_hit_goes_without_a_write_back) {
  data_cache_role forgetting = role(like_l1, fetch_size::line);
  forgetting.forgets_after_last_use = true;
  build(forgetting);
  local(source->store_at(10, 256, bytes(128, 7)));
  local(source->load_at(50, 256, 128)).extension().last_use = true;
  local(source->load_at(100, 256, 4));
  run_until_idle();
  EXPECT_EQ(answer(2), bytes(128, 7));
  EXPECT_EQ(answer(3), original(256, 4)) << "what was stored is lost";
  EXPECT_EQ(level->write_backs.value(), 0u);
  expect_nothing_left();
}

TEST_F(data_cache_test, elsewhere_the_last_use_changes_nothing) {
  build_l1();
  local(source->store_at(10, 256, bytes(128, 7)));
  local(source->load_at(50, 256, 128)).extension().last_use = true;
  local(source->load_at(100, 256, 128));
  run_until_idle();
  EXPECT_EQ(answer(3), bytes(128, 7));
  expect_nothing_left();
}

TEST_F(data_cache_test, a_line_used_with_evict_first_gives_way_to_the_next_miss_of_its_set) {
  build_l2();
  source->load_at(10, 0, 32);
  source->load_at(100, 256, 32).extension().evict_first = true;
  source->load_at(200, 512, 32);
  source->load_at(300, 0, 32);
  source->load_at(400, 256, 32);
  run_until_idle();
  EXPECT_EQ(level->hits.value(), 1u) << "the line at 0 is older and has stayed";
  EXPECT_EQ(level->misses.value(), 4u);
}

TEST_F(data_cache_test, debug_access_sees_and_changes_what_memory_does_not_have) {
  build_l2();
  source->store_at(10, 130, {7, 7});
  run_until_idle();
  bytes data(8);
  tlm::tlm_generic_payload p;
  p.set_read();
  p.set_address(126);
  p.set_data_ptr(data.data());
  p.set_data_length(8);
  EXPECT_EQ(source->out->transport_dbg(p), 8u);
  bytes expected = original(126, 8);
  expected[4] = expected[5] = 7;
  EXPECT_EQ(data, expected);

  bytes written = {1, 2, 3, 4, 5, 6, 7, 8};
  p.set_write();
  p.set_data_ptr(written.data());
  EXPECT_EQ(source->out->transport_dbg(p), 8u);
  p.set_read();
  p.set_data_ptr(data.data());
  source->out->transport_dbg(p);
  EXPECT_EQ(data, written);
}

TEST_F(data_cache_test, failed_fill_is_passed_on_and_not_kept) {
  build_l2();
  backing->status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
  source->load_at(10, 128, 32);
  source->load_at(11, 128, 32);
  source->load_at(100, 128, 32);
  run_until_idle();
  for (unsigned id = 1; id <= 3; ++id)
    EXPECT_EQ(source->answer_of(id).status, tlm::TLM_ADDRESS_ERROR_RESPONSE) << id;
  EXPECT_EQ(backing->requests.size(), 2u);
  expect_nothing_left();
}

TEST_F(data_cache_test, request_across_the_border_of_a_line_is_an_error_of_the_model) {
  build_l2();
  source->load_at(10, 112, 32);
  EXPECT_NE(error_of_run_through(100).find("a request crosses the border of a line"), std::string::npos);
}

// -- the order is kept whatever happens and however it is clocked --

class data_cache_traffic_test : public data_cache_test {
 protected:
  // One source, so the order of its accesses is the order at the cache.
  void run_random(bool l1, const tlm_bus::clocking_options& options) {
    build(l1 ? role(like_l1, fetch_size::line) : role(always, fetch_size::sectors), geometry(), options);
    backing->takes = [](tlm_bus::cycle_t c) { return c * 2654435761u % 7 != 0; };
    std::uint64_t x = 4711;
    const auto random = [&x] { return (x = x * 6364136223846793005u + 1442695040888963407u) >> 33; };
    bytes reference = original(0, 2048);
    std::map<std::uint64_t, bytes> wanted;
    tlm_bus::cycle_t at = 1;
    for (std::uint64_t id = 1; id <= 3000; ++id) {
      const auto count = 4u << random() % 6;
      const std::uint64_t address = random() % (2048 / count) * count;
      const bool is_local = l1 && address < 1024;
      at += random() % 4 == 0 ? random() % 60 : 1;
      if (random() % 2 == 0) {
        memory_payload& p = source->load_at(at, address, count);
        if (is_local) local(p);
        p.extension().past_l1 = !is_local && random() % 4 == 0;
        wanted[id] = bytes(reference.begin() + static_cast<std::ptrdiff_t>(address),
                           reference.begin() + static_cast<std::ptrdiff_t>(address + count));
        continue;
      }
      bytes data(count);
      for (auto& byte : data) byte = static_cast<std::uint8_t>(random());
      memory_payload& p = source->store_at(at, address, data);
      if (is_local) local(p);
      const bool some = random() % 2 == 0;
      if (some) p.use_byte_enables();
      for (unsigned i = 0; i < count; ++i) {
        const bool written = !some || random() % 2 == 0;
        if (some && written) p.enables()[i] = 0xff;
        if (written) reference[address + i] = data[i];
      }
    }
    run_through(60'000, uncore());
    EXPECT_EQ(source->answers.size(), 3000u);
    for (const auto& [id, expected] : wanted) ASSERT_EQ(answer(id), expected) << id;
    bytes all = in_memory(0, 2048);
    level->show_unwritten(0, 2048, all.data());
    EXPECT_EQ(all, reference);
    EXPECT_GT(level->hits.value(), 50u);
    EXPECT_GT(level->write_backs.value(), 100u);
    EXPECT_GT(level->merged.value(), 10u);
    expect_nothing_left();
  }
};

TEST_F(data_cache_traffic_test, l1) { run_random(true, {}); }
TEST_F(data_cache_traffic_test, l2) { run_random(false, {}); }
TEST_F(data_cache_traffic_test, l1_audited) {
  tlm_bus::clocking_options options;
  options.audit = true;
  run_random(true, options);
}
TEST_F(data_cache_traffic_test, l2_audited) {
  tlm_bus::clocking_options options;
  options.audit = true;
  run_random(false, options);
}
TEST_F(data_cache_traffic_test, l1_by_reference_clocking) {
  tlm_bus::clocking_options options;
  options.mode = tlm_bus::clocking_options::way::reference;
  run_random(true, options);
}
TEST_F(data_cache_traffic_test, l2_stalled) {
  tlm_bus::clocking_options options;
  options.stalls = {3, 300};
  run_random(false, options);
}

}  // namespace
}  // namespace gt200::model
