// A whole partition: how long texture loads take on a hit and on a miss of its cache, and what idealisations
// change.
#include "sc_models/partition/partition.h"

#include <tlm_utils/simple_target_socket.h>

#include <memory>

#include "sc_models/config/load.h"
#include "sc_models/partition/dram/models/dram_model.h"
#include "testbenches/subsystem/memory/traffic.h"
#include "testbenches/support/systemc_test.h"

namespace gt200::model {
namespace {

using tlm_bus::cycle_t;

// A DRAM from outside that answers every access with an error, and has no debug access.
class broken_dram final : public sc_core::sc_module, public dram_model {
 public:
  explicit broken_dram(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {
    socket_.register_b_transport(this, &broken_dram::b_transport);
  }
  dram_socket& requests() override { return socket_; }
  std::uint64_t bytes_moved() const override { return 0; }

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  }
  tlm_utils::simple_target_socket<broken_dram> socket_{"socket"};
};

const bool added = [] {
  dram_models::add({"broken", "refuses everything", {}},
                   [](const dram_context&) { return std::make_unique<broken_dram>("memory"); });
  return true;
}();

// The only partition of a chip, with a DRAM of fixed latency.
class partition_test : public support::systemc_test {
 protected:
  void build(bool perfect_cache = false, const std::vector<std::string>& more = {}) {
    std::vector<std::string> settings = {"partition.dram.model=fixed_latency"};
    settings.insert(settings.end(), more.begin(), more.end());
    config = config::load(std::string(GT200_SOURCE_DIR) + "/configs/gt200.toml", settings).values.partition;
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

TEST_F(partition_test, an_error_of_the_dram_is_no_answer_to_a_load) {
  build(false, {"partition.dram.model=broken"});
  source->load_at(10, 0x40, 32);
  const std::string error = error_of_run_through(1000);
  EXPECT_NE(error.find("/gt200/protocol"), std::string::npos) << error;
  EXPECT_NE(error.find("unit.arbiter.dram: a read of 32 bytes at 0x40 is answered with TLM_GENERIC_ERROR_RESPONSE"),
            std::string::npos)
      << error;
}

TEST_F(partition_test, an_error_of_the_dram_behind_a_level_2_names_the_port_there) {
  build(false, {"partition.dram.model=broken", "partition.l2.enabled=true"});
  source->load_at(10, 0x40, 32);
  const std::string error = error_of_run_through(1000);
  EXPECT_NE(error.find("unit.l2.memory: a read of "), std::string::npos) << error;
}

TEST_F(partition_test, a_dram_without_debug_access_is_named_by_the_first_access_of_a_loader) {
  build(false, {"partition.dram.model=broken"});
  std::uint8_t byte = 0;
  tlm::tlm_generic_payload access;
  access.set_write();
  access.set_address(0x1040);
  access.set_data_ptr(&byte);
  access.set_data_length(1);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  std::string error;
  sc_core::sc_report_handler::set_handler(sc_core::sc_report_handler::default_handler);
  try {
    source->out->transport_dbg(access);
  } catch (const sc_core::sc_report& report) {
    error = report.what();
  }
  EXPECT_NE(error.find("/gt200/protocol"), std::string::npos) << error;
  EXPECT_NE(error.find("unit.arbiter.dram: transport_dbg of the memory behind it moves 0 bytes, for a write of 1 "
                       "bytes at 0x1040"),
            std::string::npos)
      << error;
}

}  // namespace
}  // namespace gt200::model
