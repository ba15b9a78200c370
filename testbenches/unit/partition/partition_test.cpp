// A whole partition: how long texture loads take on a hit and on a miss of its cache, and what idealisations
// change.
#include "sc_models/partition/partition.h"

#include <memory>

#include "sc_models/config/load.h"
#include "testbenches/subsystem/memory/traffic.h"
#include "testbenches/support/systemc_test.h"

namespace gt200::model {
namespace {

using tlm_bus::cycle_t;

// The only partition of a chip, with a DRAM of fixed latency.
class partition_test : public support::systemc_test {
 protected:
  void build(bool perfect_cache = false) {
    config =
        config::load(std::string(GT200_SOURCE_DIR) + "/configs/gt200.toml", {"partition.dram.model=fixed_latency"})
            .values.partition;
    const address_map map(1, 256, config::partition_hash::none);
    unit = std::make_unique<partition>("unit", uncore(), memory(), config, map, 0, perfect_cache);
    source = std::make_unique<support::memory_source<gpu_memory_protocol>>("source", uncore());
    source->out.bind(unit->requests());
  }
  void texture_load_at(cycle_t cycle, std::uint64_t address) {
    source->load_at(cycle, address, 32).extension().space = memory_space::texture;
  }
  // From the cycle of sending until the answer is there.
  cycle_t hit_cycles() const {
    const cycle_t hops = 3;  // arbiter to cache, back, and to the source
    return config.arbiter.latency_cycles + config.texture_l2.hit_latency_cycles + hops;
  }

  config::partition_config config;
  std::unique_ptr<partition> unit;
  std::unique_ptr<support::memory_source<gpu_memory_protocol>> source;
};

TEST_F(partition_test, texture_load_that_hits_takes_arbiter_and_cache) {
  build();
  texture_load_at(10, 0);
  texture_load_at(1000, 64);  // of the same line
  run_until_idle();
  EXPECT_EQ(source->answer_of(2).cycle, 1000 + hit_cycles());
  EXPECT_EQ(unit->texture_l2.hits.value(), 1u);
  EXPECT_EQ(unit->outstanding(), 0u);
}

TEST_F(partition_test, texture_load_that_misses_takes_a_line_of_the_dram_as_well) {
  build();
  texture_load_at(10, 0);
  run_until_idle();
  EXPECT_GT(source->answer_of(1).cycle, 10 + hit_cycles() + config.texture_l2.fill_latency_cycles);
  EXPECT_EQ(unit->dram.bytes_moved(), config.texture_l2.line_bytes);
}

TEST_F(partition_test, perfect_cache_makes_every_texture_load_a_hit) {
  build(true);
  texture_load_at(10, 0);
  texture_load_at(500, 4096);
  run_until_idle();
  EXPECT_EQ(source->answer_of(1).cycle, 10 + hit_cycles());
  EXPECT_EQ(source->answer_of(2).cycle, 500 + hit_cycles());
  EXPECT_EQ(unit->dram.bytes_moved(), 0u);
}

TEST_F(partition_test, dram_moves_what_loads_and_stores_ask_for) {
  build();
  source->load_at(10, 0, 64);
  source->store_at(500, 4096, std::vector<std::uint8_t>(32, 1));
  run_until_idle();
  EXPECT_EQ(unit->dram.bytes_moved(), 96u);
  EXPECT_EQ(unit->outstanding(), 0u);
}

}  // namespace
}  // namespace gt200::model
