// Memory without time: each port is answered in the next cycle, in the order of the TPCs, with real data.
#include "sc_models/partition/ideal_memory.h"

#include <memory>

#include "testbenches/subsystem/memory/traffic.h"
#include "testbenches/support/systemc_test.h"
#include "testbenches/support/token_stages.h"

namespace gt200::model {
namespace {

using bytes = std::vector<std::uint8_t>;

class ideal_memory_test : public support::systemc_test {
 protected:
  void build(unsigned source_count, bool watches_textures = false) {
    config::partition_config config;
    config.texture_writes_invalidate = watches_textures;
    config.texture_l2.line_bytes = 256;
    unit = std::make_unique<ideal_memory>("unit", uncore(), config,
                                          address_map(8, 256, config::partition_hash::none), source_count, 1 << 20);
    backing = std::make_unique<support::fixed_latency_memory<gpu_memory_protocol>>("backing", uncore(), 1000);
    unit->memory.bind(backing->in);
    for (unsigned i = 0; i < source_count; ++i) {
      sources.emplace_back(("source_" + std::to_string(i)).c_str(), uncore(), 1 + 1000 * i);
      sources[i].out.bind(unit->sources[i]);
    }
  }

  std::unique_ptr<ideal_memory> unit;
  std::unique_ptr<support::fixed_latency_memory<gpu_memory_protocol>> backing;
  std::deque<support::memory_source<gpu_memory_protocol>> sources;
};

TEST_F(ideal_memory_test, writes_to_textures_are_reported_once_per_cycle) {
  build(2, true);
  support::token_sink<texture_write_token> reports("reports", uncore(), 2);
  unit->textures->writes.bind(reports.in);
  for (auto& source : sources) source.load_at(10, 512, 32).extension().space = memory_space::texture;
  for (auto& source : sources) source.store_at(20, 512, {1});
  sources[0].store_at(30, 1024, {1});
  run_until_idle();
  ASSERT_EQ(reports.taken.size(), 1u);
  EXPECT_EQ(reports.taken[0].value.address, 512u);
}

// Sent in 10, taken and answered in 11, seen in 12.
TEST_F(ideal_memory_test, every_access_is_answered_in_the_next_cycle) {
  build(1);
  backing->fill(512, 128);
  sources[0].load_at(10, 512, 128);
  sources[0].store_at(20, 512, {1, 2, 3, 4});
  sources[0].atomic_at(30, 512, atomic_operation::add, 1);
  run_until_idle();
  EXPECT_EQ(sources[0].answer_of(1).cycle, 12u);
  EXPECT_EQ(sources[0].answer_of(1).data, backing->values_at(512, 128));
  EXPECT_EQ(sources[0].answer_of(2).cycle, 22u);
  EXPECT_EQ(sources[0].answer_of(3).cycle, 32u);
  EXPECT_TRUE(backing->requests.empty()) << "only debug access goes to the partitions";
  EXPECT_EQ(unit->loads.value(), 1u);
  EXPECT_EQ(unit->stores.value(), 1u);
  EXPECT_EQ(unit->atomics.value(), 1u);
}

TEST_F(ideal_memory_test, each_port_has_one_access_per_cycle) {
  build(2);
  for (unsigned i = 0; i < 50; ++i) {
    sources[0].load_at(10, i * 128, 128);
    sources[1].load_at(10, i * 128, 128);
  }
  run_until_idle();
  for (const auto& source : sources) EXPECT_EQ(source.answers.back().cycle, 12u + 49);
}

TEST_F(ideal_memory_test, accesses_of_one_cycle_take_their_order_from_the_ports) {
  build(3);
  sources[2].store_at(10, 0, {3, 0, 0, 0});
  sources[0].atomic_at(10, 0, atomic_operation::exch, 1);
  sources[1].atomic_at(10, 0, atomic_operation::add, 1);
  run_until_idle();
  EXPECT_EQ(sources[0].answer_of(1).data[0], 0) << "what memory held before";
  EXPECT_EQ(sources[1].answer_of(1001).data[0], 1);
  EXPECT_EQ(backing->bytes[0], 3);
}

TEST_F(ideal_memory_test, masked_bytes_of_a_store_stay) {
  build(1);
  backing->bytes[1] = 7;
  auto& store = sources[0].store_at(10, 0, {1, 2, 3});
  store.use_byte_enables();
  store.enables()[0] = store.enables()[2] = 0xff;
  run_until_idle();
  EXPECT_EQ((bytes{backing->bytes[0], backing->bytes[1], backing->bytes[2]}), (bytes{1, 7, 3}));
}

TEST_F(ideal_memory_test, observer_sees_each_access_with_the_partition_it_belongs_to) {
  build(1);
  class recorder : public order_observer {
   public:
    void performed(const tlm::tlm_generic_payload& access, unsigned partition, tlm_bus::femtoseconds) override {
      seen.emplace_back(access.get_address(), partition);
    }
    std::vector<std::pair<std::uint64_t, unsigned>> seen;
  } observer;
  unit->observers().attach(observer);
  sources[0].load_at(10, 256, 4);
  sources[0].store_at(11, 8 * 256, {1});
  run_until_idle();
  EXPECT_EQ(observer.seen, (std::vector<std::pair<std::uint64_t, unsigned>>{{256, 1}, {8 * 256, 0}}));
  unit->observers().detach(observer);
}

}  // namespace
}  // namespace gt200::model
