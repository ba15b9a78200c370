// Which writes a partition reports: those to lines that texture caches may hold.
#include "sc_models/partition/texture_watch.h"

#include <memory>

#include "sc_models/config/load.h"
#include "sc_models/partition/partition.h"
#include "testbenches/subsystem/memory/traffic.h"
#include "testbenches/support/script.h"
#include "testbenches/support/systemc_test.h"
#include "testbenches/support/token_stages.h"

namespace gt200::model {
namespace {

constexpr unsigned line = 256;  // of the texture L2
constexpr std::uint64_t base = 16 * line;

// The only partition of a chip, with a DRAM of fixed latency.
class texture_watch_test : public support::systemc_test {
 protected:
  void build(const std::vector<std::string>& more = {}) {
    std::vector<std::string> settings = {"partition.dram.model=fixed_latency",
                                         "partition.texture_writes_invalidate=true"};
    settings.insert(settings.end(), more.begin(), more.end());
    config = config::load(std::string(GT200_SOURCE_DIR) + "/configs/gt200.toml", settings).values.partition;
    unit = std::make_unique<partition>("unit", uncore(), memory(), config,
                                       address_map(1, line, config::partition_hash::none), 0);
    source = std::make_unique<support::memory_source<gpu_memory_protocol>>("source", uncore());
    source->out.bind(unit->requests());
    reports = std::make_unique<support::token_sink<texture_write_token>>("reports", uncore(), 2);
    unit->arbiter.textures->writes.bind(reports->in);
  }
  void texture_load_at(tlm_bus::cycle_t cycle, std::uint64_t address) {
    source->load_at(cycle, address, 32).extension().space = memory_space::texture;
  }
  std::vector<std::uint64_t> reported() const {
    std::vector<std::uint64_t> all;
    for (const auto& report : reports->taken) all.push_back(report.value.address);
    return all;
  }
  using addresses = std::vector<std::uint64_t>;

  config::partition_config config;
  std::unique_ptr<partition> unit;
  std::unique_ptr<support::memory_source<gpu_memory_protocol>> source;
  std::unique_ptr<support::token_sink<texture_write_token>> reports;
};

TEST_F(texture_watch_test, a_store_to_a_line_that_a_texture_read_is_reported_as_it_is_dispatched) {
  build();
  texture_load_at(10, base);
  source->store_at(100, base + line - 4, {1, 2, 3, 4});
  run_until_idle();
  EXPECT_EQ(reported(), (addresses{base + line - 4}));
  EXPECT_EQ(reports->taken[0].cycle, 100 + config.arbiter.latency_cycles + 1);
}

TEST_F(texture_watch_test, an_atomic_operation_is_a_write) {
  build();
  texture_load_at(10, base);
  source->atomic_at(100, base, atomic_operation::add, 5);
  run_until_idle();
  EXPECT_EQ(reported(), (addresses{base}));
}

TEST_F(texture_watch_test, a_store_before_the_read_or_to_a_line_beside_it_is_not_reported) {
  build();
  source->store_at(10, base, {1});
  texture_load_at(11, base);
  source->store_at(100, base - 1, {1});
  source->store_at(101, base + line, {1});
  run_until_idle();
  EXPECT_TRUE(reported().empty());
}

TEST_F(texture_watch_test, loads_of_global_memory_are_not_watched) {
  build();
  source->load_at(10, base, 32);
  source->store_at(100, base, {1});
  run_until_idle();
  EXPECT_TRUE(reported().empty());
}

TEST_F(texture_watch_test, an_access_that_spans_two_lines_belongs_to_both) {
  build({"partition.interleave_bytes=256", "partition.texture_l2.line_bytes=128"});
  source->load_at(10, base, 256).extension().space = memory_space::texture;
  source->store_at(100, base + 200, {1});
  source->store_at(200, base + 60, {1});
  run_until_idle();
  EXPECT_EQ(reported(), (addresses{base + 200, base + 60}));
}

TEST_F(texture_watch_test, after_an_invalidation_no_line_is_known_until_it_is_read_again) {
  build();
  support::script commander("commander", uncore());
  texture_load_at(10, base);
  commander.at(400, [&] { unit->arbiter.textures->invalidate(); });
  source->store_at(500, base, {1});
  texture_load_at(600, base);
  source->store_at(1000, base, {1});
  run_until_idle();
  EXPECT_EQ(reported(), (addresses{base}));
  EXPECT_GT(reports->taken[0].cycle, 1000u);
}

// No access came between the two, and the modules run in this order in the second one's cycle.
TEST_F(texture_watch_test, a_second_invalidation_does_not_put_the_first_one_off) {
  support::script commander("commander", uncore());
  build();
  texture_load_at(10, base);
  const auto invalidate = [&] { unit->arbiter.textures->invalidate(); };
  commander.at(400, invalidate);
  commander.at(500 + config.arbiter.latency_cycles, invalidate);
  source->store_at(500, base, {1});
  run_until_idle();
  EXPECT_TRUE(reported().empty());
}

// It may look up its line in the L2 behind the invalidation there.
class texture_read_under_way : public texture_watch_test, public ::testing::WithParamInterface<tlm_bus::cycle_t> {};

TEST_P(texture_read_under_way, remains_known_when_the_caches_are_invalidated) {
  build();
  support::script commander("commander", uncore());
  texture_load_at(10, base);
  commander.at(10 + config.arbiter.latency_cycles + GetParam(), [&] {
    unit->texture_l2_control()->invalidate();
    unit->arbiter.textures->invalidate();
  });
  source->store_at(600, base, {1});
  run_until_idle();
  EXPECT_EQ(reported(), (addresses{base}));
}

INSTANTIATE_TEST_SUITE_P(cycles_after_its_dispatch, texture_read_under_way, ::testing::Values(0, 1, 5, 20));

TEST_F(texture_watch_test, with_an_l2_of_all_accesses_textures_are_watched_there) {
  build({"partition.l2.enabled=true"});
  texture_load_at(10, base);
  source->store_at(100, base, {1});
  run_until_idle();
  EXPECT_EQ(reported(), (addresses{base}));
}

TEST_F(texture_watch_test, reports_that_nobody_takes_hold_no_access_up) {
  build();
  reports->takes = [](tlm_bus::cycle_t cycle) { return cycle > 1000; };
  texture_load_at(10, base);
  for (unsigned i = 0; i < 8; ++i) source->store_at(100 + i, base + 32 * i, {1});
  run_until_idle();
  EXPECT_LT(source->answer_of(9).cycle, 300u);
  EXPECT_EQ(reported().size(), 2u) << "those that were in the pipe";
}

}  // namespace
}  // namespace gt200::model
