// Order, rate and limits of the distribution of blocks.
#include "sc_models/distribution/work_distributor.h"

#include <algorithm>
#include <set>

#include "testbenches/unit/distribution/scripted_tpc.h"

namespace gt200::model {
namespace {

using testing::chip_config;
using testing::grid_of;
using testing::scripted_chip;

using sm_place = std::pair<unsigned, unsigned>;  // TPC, SM

std::vector<sm_place> places_of(const testing::script& blocks) {
  std::vector<sm_place> places;
  for (const testing::start& s : blocks.starts) places.emplace_back(s.tpc, s.sm);
  return places;
}

class work_distributor_test : public support::systemc_test {
 protected:
  scripted_chip& make(const std::vector<std::string>& overrides) {
    config_ = std::make_unique<config::gpu_config>(chip_config(overrides));
    chip_ = std::make_unique<scripted_chip>("chip", clock(), *config_);
    return *chip_;
  }
  void run(const grid_descriptor& grid) {
    chip_->grids.send_at(10, {&grid});
    run_until_idle();
  }
  // From a grid on its way at cycle 10 to the arrival of its first block.
  tlm_bus::cycle_t first_arrival() const { return 11 + config_->distribution.launch_latency_cycles; }

 private:
  std::unique_ptr<config::gpu_config> config_;
  std::unique_ptr<scripted_chip> chip_;
};

const std::vector<std::string> six_sms = {"chip.tpcs=3", "chip.sms_per_tpc=2"};

TEST_F(work_distributor_test, goes_to_different_tpcs_first) {
  scripted_chip& chip = make(six_sms);
  const grid_descriptor grid = grid_of(8);
  run(grid);
  EXPECT_EQ(places_of(chip.blocks),
            (std::vector<sm_place>{{0, 0}, {1, 0}, {2, 0}, {0, 1}, {1, 1}, {2, 1}, {0, 0}, {1, 0}}));
}

TEST_F(work_distributor_test, or_to_the_sms_of_a_tpc_first) {
  scripted_chip& chip = make({"chip.tpcs=3", "chip.sms_per_tpc=2", "distribution.order=sm_first"});
  const grid_descriptor grid = grid_of(8);
  run(grid);
  EXPECT_EQ(places_of(chip.blocks),
            (std::vector<sm_place>{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}, {0, 0}, {0, 1}}));
}

TEST_F(work_distributor_test, numbers_blocks_row_by_row) {
  scripted_chip& chip = make(six_sms);
  const grid_descriptor grid = grid_of(3, 2);
  run(grid);
  ASSERT_EQ(chip.blocks.tokens.size(), 6u);
  for (std::uint32_t i = 0; i < 6; ++i) {
    EXPECT_EQ(chip.blocks.tokens[i].block_id, i);
    EXPECT_EQ(chip.blocks.tokens[i].block_x, i % 3);
    EXPECT_EQ(chip.blocks.tokens[i].block_y, i / 3);
    EXPECT_EQ(chip.blocks.tokens[i].grid, &grid);
  }
}

TEST_F(work_distributor_test, hands_out_one_block_per_interval) {
  scripted_chip& chip = make({"chip.tpcs=3", "distribution.interval_cycles=7"});
  const grid_descriptor grid = grid_of(5);
  run(grid);
  ASSERT_EQ(chip.blocks.starts.size(), 5u);
  for (unsigned i = 0; i < 5; ++i) EXPECT_EQ(chip.blocks.starts[i].cycle, first_arrival() + 7 * i);
}

TEST_F(work_distributor_test, fills_every_sm_and_no_further) {
  scripted_chip& chip = make({"chip.tpcs=1", "chip.sms_per_tpc=2", "distribution.interval_cycles=1"});
  chip.blocks.cycles = [](std::uint32_t) { return 1000u; };
  const grid_descriptor grid = grid_of(20);
  run(grid);
  EXPECT_EQ(chip.blocks.max_resident, 4u);
  // Eight blocks at once; the rest as the first ones end.
  const auto early = std::count_if(chip.blocks.starts.begin(), chip.blocks.starts.end(),
                                   [&](const testing::start& s) { return s.cycle < first_arrival() + 1000; });
  EXPECT_EQ(early, 8);
  EXPECT_EQ(chip.blocks.starts.size(), 20u);
}

TEST_F(work_distributor_test, starts_a_block_when_one_is_known_to_have_retired) {
  // One SM with room for one block.
  scripted_chip& chip =
      make({"chip.tpcs=1", "chip.sms_per_tpc=1", "tpc.texture.l1.instances=1", "tpc.sm.limits.blocks=1",
            "distribution.launch_latency_cycles=9", "distribution.retire_latency_cycles=13"});
  const grid_descriptor grid = grid_of(2);
  run(grid);
  ASSERT_EQ(chip.blocks.starts.size(), 2u);
  // Ran 100 cycles, known 13 cycles later, the next one needs 9 to its SM.
  EXPECT_EQ(chip.blocks.starts[1].cycle - chip.blocks.starts[0].cycle, 100u + 13u + 9u);
  ASSERT_EQ(chip.ends.taken.size(), 1u);
  EXPECT_EQ(chip.ends.taken[0].cycle, chip.blocks.starts[1].cycle + 100 + 13 + 1);
}

// The next block takes the place at once; the end of the grid waits.
TEST_F(work_distributor_test, ends_a_grid_when_the_stores_of_its_blocks_are_acknowledged) {
  scripted_chip& chip =
      make({"chip.tpcs=1", "chip.sms_per_tpc=1", "tpc.texture.l1.instances=1", "tpc.sm.limits.blocks=1",
            "distribution.launch_latency_cycles=9", "distribution.retire_latency_cycles=13"});
  chip.blocks.stores = [](std::uint32_t block) { return block == 0 ? 700u : 50u; };
  const grid_descriptor grid = grid_of(2);
  run(grid);
  ASSERT_EQ(chip.blocks.starts.size(), 2u);
  EXPECT_EQ(chip.blocks.starts[1].cycle - chip.blocks.starts[0].cycle, 100u + 13u + 9u);
  ASSERT_EQ(chip.ends.taken.size(), 1u);
  EXPECT_EQ(chip.ends.taken[0].cycle, chip.blocks.starts[0].cycle + 100 + 700 + 13 + 1);
  EXPECT_EQ(chip.distributor.blocks_retired.value(), 2u);
}

TEST_F(work_distributor_test, gives_the_place_of_an_ended_block_to_the_next_one) {
  scripted_chip& chip =
      make({"chip.tpcs=2", "chip.sms_per_tpc=1", "tpc.texture.l1.instances=1", "tpc.sm.limits.blocks=1"});
  chip.blocks.cycles = [](std::uint32_t block) { return block == 0 ? 5000u : 10u; };
  const grid_descriptor grid = grid_of(6);
  run(grid);
  EXPECT_EQ(places_of(chip.blocks), (std::vector<sm_place>{{0, 0}, {1, 0}, {1, 0}, {1, 0}, {1, 0}, {1, 0}}));
}

TEST_F(work_distributor_test, runs_every_block_of_grids_once) {
  scripted_chip& chip = make(six_sms);
  chip.blocks.cycles = [](std::uint32_t block) { return 1 + block * 7919 % 313; };
  const grid_descriptor first = grid_of(40, 7);
  const grid_descriptor second = grid_of(11);
  chip.grids.send_at(10, {&first});
  chip.grids.send_at(11, {&second});
  run_until_idle();
  std::set<std::pair<const grid_descriptor*, std::uint32_t>> seen;
  for (const launch_token& t : chip.blocks.tokens) EXPECT_TRUE(seen.insert({t.grid, t.block_id}).second);
  EXPECT_EQ(seen.size(), 291u);
  EXPECT_EQ(chip.distributor.blocks_retired.value(), 291u);
  ASSERT_EQ(chip.ends.taken.size(), 2u);
  EXPECT_EQ(chip.ends.taken[0].value.grid, &first);
  EXPECT_EQ(chip.ends.taken[1].value.grid, &second);
  EXPECT_FALSE(chip.ends.taken[1].value.faulted);
}

TEST_F(work_distributor_test, ends_a_grid_at_its_first_fault) {
  scripted_chip& chip = make(six_sms);
  chip.blocks.cycles = [](std::uint32_t block) { return 1000 + block; };
  chip.blocks.faults = [](std::uint32_t block) { return block == 3 || block == 5; };
  const grid_descriptor grid = grid_of(100);
  run(grid);
  ASSERT_EQ(chip.ends.taken.size(), 1u);
  const grid_end_token& end = chip.ends.taken[0].value;
  EXPECT_TRUE(end.faulted);
  EXPECT_EQ(end.block_id, 3u);
  EXPECT_EQ(end.tpc, 0u);
  EXPECT_EQ(end.sm, 1u);
  EXPECT_LT(chip.blocks.starts.size(), 100u);
}

// Several ways of clocking in one simulation; each on clocks of its own.
class work_distributor_clocking_test : public support::systemc_test {
 protected:
  struct bench {
    bench(const std::string& name, const tlm_bus::clocking_options& options, const config::gpu_config& config)
        : clocks((name + "_clocks").c_str(), options), chip(name, clocks, config) {
      chip.blocks.cycles = [](std::uint32_t block) { return 1 + block * 7919 % 97; };
    }
    support::clocks clocks;
    scripted_chip chip;
  };
};

TEST_F(work_distributor_clocking_test, gives_the_same_cycles_in_every_way) {
  const config::gpu_config config = chip_config(six_sms);
  tlm_bus::clocking_options options;
  bench due("due", options, config);
  options.shuffle_seed = 11;
  bench shuffled("shuffled", options, config);
  options = {};
  options.audit = true;
  bench audited("audited", options, config);
  options = {};
  options.mode = tlm_bus::clocking_options::way::reference;
  bench reference("reference", options, config);
  const grid_descriptor grid = grid_of(200);
  for (bench* b : {&due, &shuffled, &audited, &reference}) b->chip.grids.send_at(3, {&grid});
  run_through(5000, due.clocks.uncore);
  ASSERT_EQ(due.chip.ends.taken.size(), 1u);
  for (bench* b : {&shuffled, &audited, &reference}) {
    auto starts = b->chip.blocks.starts;
    auto expected = due.chip.blocks.starts;
    const auto by_block = [](const testing::start& x, const testing::start& y) { return x.block < y.block; };
    std::sort(starts.begin(), starts.end(), by_block);
    std::sort(expected.begin(), expected.end(), by_block);
    EXPECT_EQ(starts, expected);
    ASSERT_EQ(b->chip.ends.taken.size(), 1u);
    EXPECT_EQ(b->chip.ends.taken[0].cycle, due.chip.ends.taken[0].cycle);
  }
}

TEST_F(work_distributor_clocking_test, loses_no_block_when_tokens_are_held_up) {
  tlm_bus::clocking_options options;
  options.stalls = {42, 300};
  bench stalled("stalled", options, chip_config(six_sms));
  const grid_descriptor grid = grid_of(200);
  stalled.chip.grids.send_at(3, {&grid});
  run_until_idle();
  EXPECT_EQ(stalled.chip.blocks.starts.size(), 200u);
  EXPECT_EQ(stalled.chip.ends.taken.size(), 1u);
  EXPECT_LE(stalled.chip.blocks.max_resident, 4u);
}

}  // namespace
}  // namespace gt200::model
