// A crossbar whose networks are rings or meshes gives the same cycles by every way of clocking and in several
// orders of modules.
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "sc_models/interconnect/crossbar.h"
#include "testbenches/subsystem/memory/traffic.h"
#include "testbenches/unit/sm/every_way.h"

namespace gt200::model {
namespace {

using source = support::memory_source<gpu_memory_protocol>;
using memory_stage = support::fixed_latency_memory<gpu_memory_protocol>;

struct traffic {
  unsigned sources;
  unsigned partitions;
  unsigned each;      // transactions of a source
  unsigned apart;     // cycles between them
  bool stores_alone;  // of five flits; else stores, and loads of two sizes
  bool hesitates;     // one memory takes in every fifth cycle alone, one source in every third
};

struct crossbar_bench {
  crossbar_bench(const std::string& name, const tlm_bus::clocking_options& options, const std::string& topology,
                 unsigned hop_cycles, const traffic& t)
      : clocks((name + "_clocks").c_str(), options) {
    crossbar_keys.request_latency_cycles = 12;
    crossbar_keys.reply_latency_cycles = 9;
    crossbar_keys.flit_bytes = 32;
    // An input holds one packet of the largest size, so the next one waits in its port.
    crossbar_keys.request_queue_flits = 8;
    crossbar_keys.reply_queue_flits = 8;
    crossbar_keys.arbitration = "round_robin";
    topology_keys.network = topology.c_str();
    topology_keys.hop_cycles = hop_cycles;
    topology_keys.buffer_flits = 64;
    topology_keys.mesh_columns = 3;
    const address_map map(t.partitions, 256, config::partition_hash::none);
    bar = std::make_unique<crossbar>((name + "_bar").c_str(), clocks.uncore, crossbar_keys, map, t.sources, 1,
                                     topology_keys);
    for (unsigned i = 0; i < t.sources; ++i) {
      sources.emplace_back((name + "_source_" + std::to_string(i)).c_str(), clocks.uncore, 1 + 1000 * i);
      sources[i].out.bind(bar->sources[i]);
    }
    for (unsigned i = 0; i < t.partitions; ++i) {
      memories.emplace_back((name + "_memory_" + std::to_string(i)).c_str(), clocks.uncore, 4);
      bar->partitions[i].bind(memories[i].in);
    }
    if (t.hesitates) {
      memories[0].takes = [](tlm_bus::cycle_t c) { return c % 5 == 0; };
      sources[0].takes = [](tlm_bus::cycle_t c) { return c % 3 == 0; };
    }
    std::uint64_t x = 99;
    const auto random = [&x] { return (x = x * 6364136223846793005u + 1442695040888963407u) >> 33; };
    for (unsigned s = 0; s < t.sources; ++s)
      for (unsigned i = 0; i < t.each; ++i) {
        const std::uint64_t address = random() % 64 * 256;
        if (t.stores_alone || random() % 2 == 0)
          sources[s].store_at(1 + i * t.apart, address, std::vector<std::uint8_t>(128, 1));
        else
          sources[s].load_at(1 + i * t.apart, address, random() % 2 == 0 ? 32 : 128);
      }
  }

  // When each access was sent, asked and answered.
  std::vector<std::vector<tlm_bus::cycle_t>> result() const {
    std::vector<std::vector<tlm_bus::cycle_t>> cycles;
    for (const source& s : sources) {
      cycles.push_back(s.sent);
      cycles.emplace_back();
      for (const support::answered& a : s.answers) cycles.back().insert(cycles.back().end(), {a.id, a.cycle});
    }
    for (const memory_stage& m : memories) {
      cycles.emplace_back();
      for (const support::asked& a : m.requests) cycles.back().insert(cycles.back().end(), {a.address, a.cycle});
    }
    return cycles;
  }

  config::crossbar_config crossbar_keys;
  config::topology_config topology_keys;
  support::clocks clocks;
  std::unique_ptr<crossbar> bar;
  std::deque<source> sources;
  std::deque<memory_stage> memories;
};

class topologies_clocking : public testing::every_way<crossbar_bench>,
                            public ::testing::WithParamInterface<const char*> {
 protected:
  void expect_all_alike(unsigned hop_cycles, const traffic& t) {
    build(GetParam(), hop_cycles, t);
    run(20'000);
    for (const source& s : first().sources) EXPECT_EQ(s.answers.size(), t.each);
  }
};

// The tail of a packet leaves its input long before anything else happens; the next packet enters in the cycle
// after that.
TEST_P(topologies_clocking, a_packet_in_its_port_enters_when_the_tail_before_it_has_left) {
  expect_all_alike(50, {1, 1, 6, 1, true, false});
}
TEST_P(topologies_clocking, crowded) { expect_all_alike(3, {6, 4, 150, 2, false, true}); }
TEST_P(topologies_clocking, with_long_links_and_pauses) { expect_all_alike(20, {5, 3, 60, 37, false, true}); }

INSTANTIATE_TEST_SUITE_P(on, topologies_clocking, ::testing::Values("ring", "mesh"),
                         [](const auto& of) { return std::string(of.param); });

}  // namespace
}  // namespace gt200::model
