// Launches from the registers of the host to the end of the last block. Every way of clocking gives the same
// result; blocks are spread evenly; none is lost under random durations, grids and stalls.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <sstream>

#include "sc_models/distribution/command_processor.h"
#include "sc_models/distribution/occupancy.h"
#include "sc_models/host/host.h"
#include "testbenches/support/own_process.h"
#include "testbenches/unit/distribution/scripted_tpc.h"

namespace gt200::model {
namespace {

// The target of the command processor's debug accesses.
class no_memory : public tlm_bus::stage {
 public:
  no_memory(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain) : stage(name, domain) {}
  tlm_bus::memory_target<gpu_memory_protocol> port{"port", *this};

 private:
  void tick() override {}
};

struct board {
  board(const config::gpu_config& c, const tlm_bus::clocking_options& options)
      : config(c), clocks("clocking", options) {
    computer.chip.bind(processor.host);
    processor.interrupt.bind(computer.interrupt);
    processor.memory.bind(memory.port);
    processor.start.bind(distributor.grids);
    distributor.ended.bind(processor.end);
    for (unsigned i = 0; i < config.chip.tpcs; ++i) {
      tpcs.push_back(std::make_unique<testing::scripted_tpc>(("tpc_" + std::to_string(i)).c_str(), clocks.uncore,
                                                             config, i, blocks));
      distributor.launch[i].bind(tpcs[i]->launch);
      tpcs[i]->retire.bind(distributor.retire[i]);
    }
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }

  // Cycles from the hand-over to the end; fails when the grid does not end.
  tlm_bus::cycle_t launch(const grid_descriptor& grid) {
    const launch_refusal refusal = computer.launch(grid);
    EXPECT_FALSE(refusal) << describe(refusal);
    computer.run(sc_core::sc_time(10, sc_core::SC_MS));
    EXPECT_EQ(computer.status(), registers::chip_status::idle);
    const auto cycles = computer.cycles_of_last_launch();
    return cycles.ended - cycles.began;
  }

  const config::gpu_config config;
  support::clocks clocks;
  testing::script blocks;
  host computer{"host", config.host};
  command_processor processor{"command_processor", clocks.uncore, config, arch_state::generation_values{}};
  work_distributor distributor{"work_distributor", clocks.uncore, config};
  no_memory memory{"memory", clocks.uncore};
  std::vector<std::unique_ptr<testing::scripted_tpc>> tpcs;
};

grid_descriptor random_grid(std::mt19937& random) {
  const auto up_to = [&random](std::uint32_t most) { return static_cast<std::uint32_t>(1 + random() % most); };
  grid_descriptor grid;
  grid.grid = {up_to(40), up_to(4)};
  grid.block = {up_to(128), up_to(4), 1};
  grid.registers = up_to(32);
  grid.shared_bytes = 16 + up_to(5000);
  grid.code_bytes = 64;
  return grid;
}

// Three random grids with random durations on a chip of the configuration, as text.
std::string run_random(unsigned seed, const tlm_bus::clocking_options& options) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  board b(testing::chip_config({"chip.tpcs=3", "chip.sms_per_tpc=3"}), options);
  b.blocks.cycles = [seed](std::uint32_t block) { return 1 + (block * 2654435761u + seed) % 500; };
  std::mt19937 random(seed);
  std::ostringstream text;
  for (unsigned n = 0; n < 3; ++n) {
    b.blocks.starts.clear();
    b.blocks.max_resident = 0;
    const grid_descriptor grid = random_grid(random);
    text << "grid of " << grid.blocks() << " blocks in " << b.launch(grid) << " cycles\n";
    std::sort(b.blocks.starts.begin(), b.blocks.starts.end(),
              [](const testing::start& x, const testing::start& y) { return x.block < y.block; });
    for (const testing::start& s : b.blocks.starts) text << s << "\n";
    if (b.blocks.starts.size() != grid.blocks()) text << "error: a block was lost or doubled\n";
    if (b.blocks.max_resident > blocks_per_sm(b.config.tpc.sm.limits, grid).blocks_per_sm)
      text << "error: an SM holds more blocks than fit\n";
  }
  return text.str();
}

TEST(launches_test, take_the_same_cycles_in_every_way_of_clocking) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto run = [seed](const tlm_bus::clocking_options& options) {
      return support::in_own_process([&] { return run_random(seed, options); });
    };
    tlm_bus::clocking_options options;
    const std::string due = run(options);
    EXPECT_EQ(due.find("error"), std::string::npos) << due;
    options.shuffle_seed = seed + 10;
    EXPECT_EQ(run(options), due);
    options = {};
    options.audit = true;
    EXPECT_EQ(run(options), due);
    options = {};
    options.mode = tlm_bus::clocking_options::way::reference;
    EXPECT_EQ(run(options), due);
  }
}

TEST(launches_test, stalls_cost_time_and_lose_nothing) {
  tlm_bus::clocking_options options;
  options.stalls = {5, 400};
  const std::string stalled = support::in_own_process([&] { return run_random(4, options); });
  EXPECT_EQ(stalled.find("error"), std::string::npos) << stalled;
  EXPECT_NE(stalled, support::in_own_process([] { return run_random(4, {}); }));
}

TEST(launches_test, equal_blocks_are_spread_evenly) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  board b(testing::chip_config({"chip.tpcs=10", "chip.sms_per_tpc=3"}), {});
  b.blocks.cycles = [](std::uint32_t) { return 3000u; };
  grid_descriptor grid = testing::grid_of(30 * 7);
  grid.code_bytes = 64;
  b.launch(grid);
  std::map<std::pair<unsigned, unsigned>, unsigned> per_sm;
  for (const testing::start& s : b.blocks.starts) ++per_sm[{s.tpc, s.sm}];
  ASSERT_EQ(per_sm.size(), 30u);
  for (const auto& [place, blocks] : per_sm) EXPECT_EQ(blocks, 7u) << place.first << ' ' << place.second;
}

}  // namespace
}  // namespace gt200::model
