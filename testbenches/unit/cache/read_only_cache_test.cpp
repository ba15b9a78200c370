// A read-only cache level: when hits and misses are answered, how requests and lines of different sizes combine,
// and that data is the data of the fill, stale until invalidated.
#include "sc_models/cache/read_only_cache.h"

#include <memory>

#include "testbenches/subsystem/memory/traffic.h"
#include "testbenches/support/systemc_test.h"

namespace gt200::model {
namespace {

using support::asked;
using tlm_bus::base_protocol;

constexpr unsigned hit_latency = 5;
constexpr unsigned memory_latency = 20;

class read_only_cache_test : public support::systemc_test {
 protected:
  using cache = read_only_cache<base_protocol>;
  using source = support::memory_source<base_protocol>;
  using memory_stage = support::fixed_latency_memory<base_protocol>;

  static config::cache_config geometry() {
    config::cache_config c;
    c.bytes = 1024;
    c.ways = 4;
    c.line_bytes = 64;
    c.hit_latency_cycles = hit_latency;
    c.mshrs = 4;
    return c;
  }
  void build(const config::cache_config& config = geometry(), cache_ports ports = {},
             const tlm_bus::clocking_options& options = {}) {
    clock(options);
    backing = std::make_unique<memory_stage>("backing", uncore(), memory_latency);
    level = std::make_unique<cache>("level", uncore(), config, ports);
    level->fill.bind(backing->in);
    for (unsigned i = 0; i < ports.requesters; ++i) {
      sources.emplace_back(("source_" + std::to_string(i)).c_str(), uncore(), 1 + 100 * i);
      sources[i].out.bind(level->requests[i]);
    }
    backing->fill(0, 4096);
  }
  // Bytes as the backing memory had them at the start.
  static std::vector<std::uint8_t> original(std::uint64_t address, unsigned bytes) {
    return memory_stage::values_at(address, bytes);
  }
  void expect_nothing_left() {
    EXPECT_EQ(level->outstanding(), 0u);
    for (auto& s : sources) EXPECT_EQ(s.pool.outstanding(), 0u);
  }
  // Commands an invalidation in a cycle, as the command processor does.
  class commander : public tlm_bus::stage {
   public:
    commander(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain) : stage(name, domain) {}
    sc_core::sc_port<cache_control_if> out{"out"};
    std::function<void()> also = [] {};

   private:
    void tick() override {
      out->invalidate();
      also();
    }
  };

  std::unique_ptr<memory_stage> backing;
  std::unique_ptr<cache> level;
  std::deque<source> sources;
};

TEST_F(read_only_cache_test, hit_is_answered_after_the_hit_latency) {
  build();
  sources[0].load_at(10, 128, 64);
  sources[0].load_at(100, 160, 32);
  run_until_idle();
  const auto& hit = sources[0].answer_of(2);
  // Sent in 100, looked up in 101, answered hit_latency later, seen one cycle after that.
  EXPECT_EQ(hit.cycle, 101 + hit_latency + 1);
  EXPECT_EQ(hit.data, original(160, 32));
  EXPECT_EQ(level->hits.value(), 1u);
  EXPECT_EQ(level->misses.value(), 1u);
  expect_nothing_left();
}

TEST_F(read_only_cache_test, miss_is_answered_in_the_cycle_after_its_fill) {
  build();
  sources[0].load_at(10, 132, 8);
  run_until_idle();
  // Looked up and asked for in 11, taken by the memory in 12, answered 20 later, seen in 33.
  EXPECT_EQ(backing->requests, (std::vector<asked>{{12, tlm::TLM_READ_COMMAND, 128, 64}}));
  EXPECT_EQ(sources[0].answer_of(1).cycle, 12 + memory_latency + 1 + 1 + 1);
  EXPECT_EQ(sources[0].answer_of(1).data, original(132, 8));
  expect_nothing_left();
}

TEST_F(read_only_cache_test, misses_to_one_line_merge) {
  build(geometry(), {2});
  sources[0].load_at(10, 64, 16);
  sources[1].load_at(10, 80, 16);
  sources[0].load_at(11, 112, 16);
  run_until_idle();
  EXPECT_EQ(backing->requests.size(), 1u);
  EXPECT_EQ(level->merged.value(), 2u);
  EXPECT_EQ(sources[0].answer_of(1).data, original(64, 16));
  EXPECT_EQ(sources[1].answer_of(101).data, original(80, 16));
  EXPECT_EQ(sources[0].answer_of(2).data, original(112, 16));
  expect_nothing_left();
}

TEST_F(read_only_cache_test, request_larger_than_a_line_takes_a_look_up_per_line) {
  build();
  sources[0].load_at(10, 256, 256);
  sources[0].load_at(100, 256, 256);
  run_until_idle();
  EXPECT_EQ(backing->requests.size(), 4u);
  EXPECT_EQ(level->misses.value(), 4u);
  EXPECT_EQ(level->hits.value(), 4u);
  EXPECT_EQ(sources[0].answer_of(1).data, original(256, 256));
  EXPECT_EQ(sources[0].answer_of(2).cycle, 101 + 3 + hit_latency + 1);
  EXPECT_EQ(sources[0].answer_of(2).data, original(256, 256));
  expect_nothing_left();
}

TEST_F(read_only_cache_test, request_across_a_line_border_is_put_together) {
  build();
  sources[0].load_at(10, 100, 60);
  run_until_idle();
  EXPECT_EQ(sources[0].answer_of(1).data, original(100, 60));
  EXPECT_EQ(backing->requests.size(), 2u);
}

TEST_F(read_only_cache_test, line_larger_than_a_transaction_is_fetched_in_parts) {
  auto config = geometry();
  config.bytes = 4096;
  config.line_bytes = 512;
  cache_ports ports;
  ports.largest_fill_bytes = 128;
  build(config, ports);
  sources[0].load_at(10, 1000, 8);
  run_until_idle();
  EXPECT_EQ(backing->requests.size(), 4u);
  EXPECT_EQ(backing->requests[3].address, 512u + 3 * 128);
  EXPECT_EQ(sources[0].answer_of(1).data, original(1000, 8));
  expect_nothing_left();
}

TEST_F(read_only_cache_test, one_look_up_per_cycle_requesters_in_turn) {
  build(geometry(), {3});
  sources[0].load_at(1, 0, 64);  // brings the line
  for (auto& s : sources)
    for (unsigned i = 0; i < 4; ++i) s.load_at(100 + i, i * 4, 4);
  run_until_idle();
  // 12 hits, one per cycle from 101 on.
  tlm_bus::cycle_t last = 0;
  for (auto& s : sources) last = std::max(last, s.answers.back().cycle);
  EXPECT_EQ(last, 101 + 11 + hit_latency + 1);
  // The first look-up of each requester comes within the first three.
  for (unsigned i = 0; i < 3; ++i)
    EXPECT_LE(sources[i].answer_of(i == 0 ? 2 : 1 + 100 * i).cycle, 101 + 2 + hit_latency + 1);
}

TEST_F(read_only_cache_test, full_mshrs_hold_up_only_the_port_that_needs_one) {
  auto config = geometry();
  config.mshrs = 1;
  build(config, {2});
  sources[1].load_at(1, 0, 64);
  sources[0].load_at(100, 512, 4);
  sources[0].load_at(101, 1024, 4);
  sources[1].load_at(103, 32, 4);
  run_until_idle();
  EXPECT_EQ(sources[1].answer_of(102).cycle, 104 + hit_latency + 1);
  ASSERT_EQ(backing->requests.size(), 3u);
  // The second miss is asked for in the cycle after the first fill (102 + 20 + 1) at the earliest.
  EXPECT_GE(backing->requests[2].cycle, 123u + 1);
  EXPECT_EQ(sources[0].answer_of(2).data, original(1024, 4));
  expect_nothing_left();
}

TEST_F(read_only_cache_test, lines_are_stale_until_invalidated) {
  build();
  commander c("commander", uncore());
  c.out.bind(level->control);
  c.wake_at(200);
  sources[0].load_at(10, 64, 4);
  sources[0].load_at(150, 64, 4);
  sources[0].load_at(201, 64, 4);
  run_through(60, uncore());
  backing->bytes[64] = 0xee;
  run_until_idle();
  EXPECT_EQ(sources[0].answer_of(2).data, original(64, 4)) << "held";
  EXPECT_EQ(sources[0].answer_of(3).data[0], 0xee) << "fetched again";
  EXPECT_EQ(level->invalidations.value(), 1u);
}

// Nothing happened in the cache between the two, and the modules run in this order in the second one's cycle.
TEST_F(read_only_cache_test, a_second_invalidation_does_not_put_the_first_one_off) {
  commander c("commander", uncore());
  build();
  c.out.bind(level->control);
  c.wake_at(200);
  c.wake_at(211);
  sources[0].load_at(10, 64, 4);
  sources[0].load_at(210, 64, 4);
  run_through(60, uncore());
  backing->bytes[64] = 0xee;
  run_until_idle();
  EXPECT_EQ(sources[0].answer_of(2).data[0], 0xee) << "looked up in 211";
}

TEST_F(read_only_cache_test, line_on_its_way_during_an_invalidation_serves_no_later_look_up) {
  build();
  commander c("commander", uncore());
  c.out.bind(level->control);
  c.also = [this] { backing->bytes[64] = 0xee; };
  c.wake_at(20);  // the read was made in 12, its data is on the way
  sources[0].load_at(10, 64, 4);
  sources[0].load_at(22, 64, 4);   // must not merge with it
  sources[0].load_at(100, 64, 4);  // must not find it
  run_until_idle();
  EXPECT_EQ(sources[0].answer_of(1).data, original(64, 4));
  EXPECT_EQ(sources[0].answer_of(2).data[0], 0xee);
  EXPECT_EQ(sources[0].answer_of(3).data[0], 0xee);
  EXPECT_EQ(backing->requests.size(), 2u);
  expect_nothing_left();
}

TEST_F(read_only_cache_test, debug_access_goes_to_the_memory_behind) {
  build();
  sources[0].load_at(10, 64, 4);
  run_until_idle();
  backing->bytes[64] = 0xee;
  std::uint8_t byte = 0;
  tlm::tlm_generic_payload p;
  p.set_read();
  p.set_address(64);
  p.set_data_ptr(&byte);
  p.set_data_length(1);
  EXPECT_EQ(sources[0].out->transport_dbg(p), 1u);
  EXPECT_EQ(byte, 0xee);
}

TEST_F(read_only_cache_test, write_is_answered_with_a_command_error) {
  build();
  sources[0].store_at(10, 64, {1, 2, 3, 4});
  run_until_idle();
  EXPECT_EQ(sources[0].answer_of(1).status, tlm::TLM_COMMAND_ERROR_RESPONSE);
  EXPECT_TRUE(backing->requests.empty());
  expect_nothing_left();
}

TEST_F(read_only_cache_test, failed_fill_is_passed_on_and_not_kept) {
  build();
  backing->status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
  sources[0].load_at(10, 64, 4);
  sources[0].load_at(100, 64, 4);
  run_until_idle();
  EXPECT_EQ(sources[0].answer_of(1).status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(sources[0].answer_of(2).status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(backing->requests.size(), 2u);
}

TEST_F(read_only_cache_test, perfect_cache_always_hits) {
  cache_ports ports;
  ports.perfect = true;
  build(geometry(), ports);
  sources[0].load_at(10, 64, 256);
  run_until_idle();
  EXPECT_EQ(sources[0].answer_of(1).cycle, 11 + 3 + hit_latency + 1) << "four look-ups";
  EXPECT_EQ(sources[0].answer_of(1).data, original(64, 256));
  EXPECT_TRUE(backing->requests.empty());
}

TEST_F(read_only_cache_test, link_latencies_add_to_a_hit_and_to_a_fill) {
  cache_ports ports;
  ports.request_latency = 20;
  ports.fill_latency = 7;
  build(geometry(), ports);
  sources[0].load_at(10, 64, 4);
  sources[0].load_at(200, 64, 4);
  run_until_idle();
  EXPECT_EQ(sources[0].answer_of(1).cycle, (30 + 1 + memory_latency) + 7 + 1 + 1);
  EXPECT_EQ(sources[0].answer_of(2).cycle, 220 + hit_latency + 1);
}

// A long link carries one request per cycle, not one per round trip.
TEST_F(read_only_cache_test, link_is_pipelined) {
  cache_ports ports;
  ports.request_latency = 20;
  ports.request_depth = 21;
  build(geometry(), ports);
  sources[0].load_at(1, 0, 64);
  for (unsigned i = 0; i < 32; ++i) sources[0].load_at(200 + i, i, 1);
  run_until_idle();
  EXPECT_EQ(sources[0].answers.back().cycle, 220 + 31 + hit_latency + 1);
}

// The same traffic whatever way it is clocked.
class read_only_cache_traffic_test : public read_only_cache_test {
 protected:
  void run_random(const tlm_bus::clocking_options& options) {
    build(geometry(), {4}, options);
    std::uint64_t x = 12345;
    auto random = [&x] { return (x = x * 6364136223846793005u + 1442695040888963407u) >> 33; };
    std::map<std::uint64_t, std::pair<std::uint64_t, unsigned>> wanted;
    for (unsigned s = 0; s < 4; ++s)
      for (unsigned i = 0; i < 99; ++i) {
        const auto bytes = static_cast<unsigned>(1u << (random() % 9));
        const std::uint64_t address = random() % (4096 / bytes) * bytes;
        wanted[1 + 100 * s + i] = {address, bytes};
        sources[s].load_at(1 + i * 3 + random() % 3, address, bytes);
      }
    run_through(20'000, uncore());
    for (unsigned s = 0; s < 4; ++s) {
      EXPECT_EQ(sources[s].answers.size(), 99u);
      for (const auto& a : sources[s].answers)
        EXPECT_EQ(a.data, original(wanted[a.id].first, wanted[a.id].second)) << a.id;
    }
    expect_nothing_left();
  }
};

TEST_F(read_only_cache_traffic_test, due) { run_random({}); }
TEST_F(read_only_cache_traffic_test, audited) {
  tlm_bus::clocking_options options;
  options.audit = true;
  run_random(options);
}
TEST_F(read_only_cache_traffic_test, reference) {
  tlm_bus::clocking_options options;
  options.mode = tlm_bus::clocking_options::way::reference;
  run_random(options);
}
TEST_F(read_only_cache_traffic_test, stalled) {
  tlm_bus::clocking_options options;
  options.stalls = {3, 300};
  run_random(options);
}

}  // namespace
}  // namespace gt200::model
