// Look-ups and misses of the constant cache in exact cycles, whatever the order of the calls within a cycle. The
// memory behind answers ten cycles after it has taken a request.
#include "sc_models/sm/operands/constant_cache.h"

#include <gtest/gtest.h>

#include <cstring>
#include <deque>

#include "testbenches/support/memory.h"
#include "testbenches/support/script.h"
#include "testbenches/support/systemc_test.h"
#include "testbenches/support/transaction_monitor.h"
#include "testbenches/unit/sm/front_end/front_end_fakes.h"

namespace gt200::model {
namespace {

using support::timed;
using tlm_bus::cycle_t;

constexpr cycle_t end = 200;
// From a look-up that misses until one that finds the line: request 1 cycle later, to memory 1, there 10, back 1,
// and it can be read in the next cycle.
constexpr cycle_t miss = 1 + 1 + 10 + 1 + 1;

using words = std::vector<timed<std::uint64_t>>;  // when which address was read

// Reads words as the operand collector does: one that is absent is fetched and tried again when a line has come.
class reader : public tlm_bus::stage {
 public:
  reader(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain) : stage(name, domain) {}
  tlm_bus::transaction_out<constant_read> reads{"reads"};
  tlm_bus::transaction_out<constant_line_fetch> line_fetches{"line_fetches"};
  tlm_bus::port<constant_cache_if> cache{"cache"};
  words read;
  std::vector<std::uint8_t> values;  // the first byte of each

  void read_at(cycle_t cycle, std::uint64_t address) {
    wanted_.push_back({cycle, address});
    wake_at(cycle);
  }

 private:
  void end_of_elaboration() override { cache->arrival().subscribe(*this); }
  void tick() override {
    for (auto w = wanted_.begin(); w != wanted_.end();) {
      if (w->cycle > cycle()) {
        wake_at(w->cycle);
        ++w;
        continue;
      }
      if (!cache->is_present(w->value)) {
        constant_line_fetch fetch{0, w->value};
        line_fetches.send(fetch);
        ++w;
        continue;
      }
      constant_read word{0, w->value, isa::data_type::u8};
      reads.send(word);
      read.push_back({cycle(), w->value});
      values.push_back(static_cast<std::uint8_t>(word.data));
      w = wanted_.erase(w);
    }
  }
  std::deque<timed<std::uint64_t>> wanted_;
};

class bench {
 public:
  bench(const std::string& name, const tlm_bus::clocking_options& options, const config::sm_config& config,
        const words& wanted, const std::vector<cycle_t>& invalidations)
      : config_(config),
        clocks_((name + "_clocks").c_str(), options),
        collector_((name + "_collector").c_str(), clocks_.core),
        reads((name + "_reads").c_str()),
        line_fetches((name + "_line_fetches").c_str()),
        cache((name + "_cache").c_str(), clocks_.core, config_, {}),
        memory((name + "_memory").c_str(), clocks_.core, 10),
        commander_((name + "_commander").c_str(), clocks_.core) {
    collector_.cache.bind(cache);
    collector_.reads.bind(reads.in);
    reads.out.bind(cache.reads);
    collector_.line_fetches.bind(line_fetches.in);
    line_fetches.out.bind(cache.line_fetches);
    cache.fill.bind(memory.port);
    for (std::uint64_t address = 0; address < 4096; ++address)
      memory.bytes[address] = static_cast<std::uint8_t>(address / 4);
    for (const auto& w : wanted) collector_.read_at(w.cycle, w.value);
    for (const cycle_t cycle : invalidations) commander_.at(cycle, [this] { cache.invalidate(); });
  }
  const words& read() const { return collector_.read; }
  const std::vector<std::uint8_t>& values() const { return collector_.values; }

 private:
  config::sm_config config_;
  support::clocks clocks_;
  reader collector_;

 public:
  support::transaction_monitor<constant_read> reads;
  support::transaction_monitor<constant_line_fetch> line_fetches;
  constant_cache cache;
  support::memory_responder<tlm_bus::base_protocol> memory;

 private:
  support::script commander_;
};

class constant_cache_test : public support::systemc_test {
 protected:
  // By every way of clocking; returns the first of benches that agree.
  const bench& run(const words& wanted, const std::vector<std::string>& overrides = {},
                   const std::vector<cycle_t>& invalidations = {}) {
    const config::sm_config config = testing::sm_config_with(overrides);
    tlm_bus::clocking_options options;
    const auto add = [&](const char* name) {
      benches_.push_back(std::make_unique<bench>(name, options, config, wanted, invalidations));
    };
    add("due");
    options.audit = true;
    add("audited");
    options.audit = false;
    for (const std::uint64_t seed : {1, 2, 3}) {
      options.shuffle_seed = seed;
      add(("shuffled_" + std::to_string(seed)).c_str());
    }
    options.shuffle_seed = 0;
    options.mode = tlm_bus::clocking_options::way::reference;
    add("reference");
    run_through(end);
    const bench& first = *benches_.front();
    for (const auto& b : benches_) {
      EXPECT_EQ(b->read(), first.read());
      EXPECT_EQ(b->memory.taken, first.memory.taken);
    }
    return first;
  }

 private:
  std::vector<std::unique_ptr<bench>> benches_;
};

// Two sets of two lines: addresses 128 bytes apart share a set.
const std::vector<std::string> small = {"tpc.sm.constant_cache.bytes=256", "tpc.sm.constant_cache.ways=2"};

TEST_F(constant_cache_test, an_absent_word_can_be_read_when_its_line_has_come) {
  const bench& b = run({{5, 0x104}});
  EXPECT_EQ(b.read(), (words{{5 + miss, 0x104}}));
  EXPECT_EQ(b.values(), (std::vector<std::uint8_t>{0x41}));
  EXPECT_EQ(b.memory.taken, (words{{7, 0x100}})) << "asked for in the cycle after the look-up, by lines";
  EXPECT_EQ(b.cache.misses.value(), 1u);
  EXPECT_EQ(b.cache.hits.value(), 1u);
  EXPECT_EQ(b.cache.latencies.l2.value().sum, miss);
}

TEST_F(constant_cache_test, a_word_of_a_present_line_is_read_at_once) {
  const bench& b = run({{5, 0x100}, {50, 0x100}, {50, 0x13c}});
  EXPECT_EQ(b.read(), (words{{5 + miss, 0x100}, {50, 0x100}, {50, 0x13c}}));
  EXPECT_EQ(b.cache.misses.value(), 1u);
  EXPECT_EQ(b.cache.hits.value(), 3u);
}

TEST_F(constant_cache_test, a_line_on_its_way_is_not_asked_for_again) {
  const bench& b = run({{5, 0x100}, {9, 0x120}});
  EXPECT_EQ(b.read(), (words{{5 + miss, 0x100}, {5 + miss, 0x120}}));
  EXPECT_EQ(b.memory.taken.size(), 1u);
  EXPECT_EQ(b.cache.misses.value(), 1u);
}

TEST_F(constant_cache_test, one_miss_goes_to_the_l2_per_cycle) {
  const bench& b = run({{5, 0x100}, {5, 0x200}, {5, 0x300}});
  EXPECT_EQ(b.memory.taken, (words{{7, 0x100}, {8, 0x200}, {9, 0x300}}));
  EXPECT_EQ(b.read(), (words{{5 + miss, 0x100}, {6 + miss, 0x200}, {7 + miss, 0x300}}));
}

TEST_F(constant_cache_test, without_a_free_mshr_a_miss_waits_for_a_line) {
  const bench& b = run({{5, 0x100}, {6, 0x200}}, {"tpc.sm.constant_cache.mshrs=1"});
  EXPECT_EQ(b.read(), (words{{5 + miss, 0x100}, {5 + miss + miss, 0x200}}));
  EXPECT_EQ(b.cache.misses.value(), 2u);
}

TEST_F(constant_cache_test, the_line_used_longest_ago_makes_room) {
  const bench& b = run({{5, 0x000}, {30, 0x080}, {60, 0x000}, {61, 0x100}, {100, 0x000}, {101, 0x080}}, small);
  EXPECT_EQ(b.read(), (words{{5 + miss, 0x000},
                             {30 + miss, 0x080},
                             {60, 0x000},
                             {61 + miss, 0x100},
                             {100, 0x000},
                             {101 + miss, 0x080}}));
}

TEST_F(constant_cache_test, lines_of_other_sets_stay) {
  const bench& b = run({{5, 0x000}, {30, 0x040}, {60, 0x080}, {90, 0x100}, {150, 0x040}}, small);
  EXPECT_EQ(b.read().back(), (timed<std::uint64_t>{150, 0x040}));
}

TEST_F(constant_cache_test, an_invalidation_forgets_all_lines) {
  const bench& b = run({{5, 0x000}, {30, 0x040}, {60, 0x000}, {90, 0x040}}, {}, {50});
  EXPECT_EQ(b.read(), (words{{5 + miss, 0x000}, {30 + miss, 0x040}, {60 + miss, 0x000}, {90 + miss, 0x040}}));
}

TEST_F(constant_cache_test, an_invalidation_takes_effect_in_the_next_cycle) {
  const bench& b = run({{5, 0x000}, {50, 0x000}, {51, 0x000}}, {}, {50});
  EXPECT_EQ(b.read(), (words{{5 + miss, 0x000}, {50, 0x000}, {51 + miss, 0x000}}));
}

TEST_F(constant_cache_test, a_line_that_arrives_in_the_cycle_of_an_invalidation_is_fetched_again) {
  const bench& b = run({{5, 0x100}}, {}, {5 + miss - 1});
  EXPECT_EQ(b.read(), (words{{5 + 2 * miss, 0x100}}));
}

TEST_F(constant_cache_test, a_line_invalidated_on_its_way_is_fetched_again) {
  const bench& b = run({{5, 0x100}}, {}, {10});
  EXPECT_EQ(b.read(), (words{{5 + 2 * miss, 0x100}}));
  EXPECT_EQ(b.memory.taken.size(), 2u);
}

TEST_F(constant_cache_test, a_monitor_sees_every_read_with_its_value) {
  const bench& b = run({{5, 0x100}, {50, 0x13c}});
  ASSERT_EQ(b.reads.seen.size(), 2u);
  EXPECT_EQ(b.reads.seen[0].address, 0x100u);
  EXPECT_EQ(b.reads.seen[0].data, 0x40u);
  EXPECT_EQ(b.reads.seen[1].address, 0x13cu);
  EXPECT_EQ(b.reads.seen[1].type, isa::data_type::u8);
  EXPECT_EQ(b.reads.seen[1].data, 0x4fu);
}

TEST_F(constant_cache_test, a_monitor_sees_which_lines_are_wanted) {
  const bench& b = run({{5, 0x104}, {50, 0x208}});
  ASSERT_EQ(b.line_fetches.seen.size(), 2u);
  EXPECT_EQ(b.line_fetches.seen[0].address, 0x104u);
  EXPECT_EQ(b.line_fetches.seen[1].address, 0x208u);
}

TEST_F(constant_cache_test, a_read_from_an_absent_line_is_an_error) {
  const config::sm_config config = testing::sm_config_with({});
  bench b("bench", {}, config, {}, {});
  run_through(end);
  constant_read read{0, 0x100};
  EXPECT_THROW(b.cache.transport(read), std::logic_error);
}

}  // namespace
}  // namespace gt200::model
