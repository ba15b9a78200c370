// The command that a scheduler proposes for the requests of a queue. Its update for one more request proposes the
// same as a look at all of them.
#include "sc_models/partition/dram/schedulers/scheduler.h"

#include <gtest/gtest.h>

#include <random>

#include "sc_models/config/policy.h"
#include "testbenches/unit/partition/dram/dram_configs.h"

namespace gt200::model {
namespace {

using tlm_bus::cycle_t;
using command = next_dram_command::command;

const config::dram_timing_config t = test::dram_config().timing;

dram_request request_of(unsigned bank, std::uint32_t row, bool write = false, std::uint64_t sector = 0) {
  dram_request r;
  r.at = {bank, row, 0};
  r.write = write;
  r.sectors = {sector, sector};
  return r;
}

// Bank 1 has row 5 open since cycle 10, all other banks are closed. It is cycle 40.
class dram_scheduler_test : public ::testing::Test {
 protected:
  dram_scheduler_test() { timing.activate(1, 5, 10); }

  void make(const char* name) { scheduler = make_dram_scheduler(name, config); }
  // Each to sectors of its own.
  void add(unsigned bank, std::uint32_t row) { queue.add(request_of(bank, row, false, ++sectors)); }
  next_dram_command proposed() const {
    next_dram_command best;
    scheduler->consider_requests({queue, timing, now, answers_full}, best);
    return best;
  }
  void expect(command kind, unsigned index, cycle_t at) const {
    const next_dram_command best = proposed();
    EXPECT_EQ(best.kind, kind);
    EXPECT_EQ(best.index, index);
    EXPECT_EQ(best.at, at);
  }

  config::dram_config config = test::dram_config();
  bank_timing timing{config};
  dram_request_queue queue{config.queue_entries};
  std::unique_ptr<dram_scheduler> scheduler;
  std::uint64_t sectors = 0;
  cycle_t now = 40;
  bool answers_full = false;
};

TEST_F(dram_scheduler_test, fifo_opens_the_row_of_the_oldest_before_a_younger_row_hit) {
  make("fifo");
  add(0, 7);
  add(1, 5);
  expect(command::activate, 0, now);
}

TEST_F(dram_scheduler_test, fr_fcfs_serves_the_row_hit_first) {
  make("fr_fcfs");
  add(0, 7);
  add(1, 5);
  expect(command::column, 1, now);
}

TEST_F(dram_scheduler_test, fr_fcfs_takes_the_oldest_of_equal_row_hits) {
  make("fr_fcfs");
  add(1, 5);
  add(1, 5);
  expect(command::column, 0, now);
}

TEST_F(dram_scheduler_test, fr_fcfs_lets_a_request_be_passed_four_times_the_queue) {
  make("fr_fcfs");
  add(0, 7);
  for (unsigned passes = 0; passes < 4 * config.queue_entries; ++passes) {
    add(1, 5);
    expect(command::column, 1, now);
    queue.take(1);
  }
  add(1, 5);
  expect(command::activate, 0, now);
}

TEST_F(dram_scheduler_test, row_in_the_way_is_closed_unless_a_candidate_uses_it) {
  for (const char* name : {"fifo", "fr_fcfs"}) {
    make(name);
    queue = dram_request_queue(config.queue_entries);
    add(1, 6);
    expect(command::precharge, 1, std::max(now, cycle_t{10} + t.t_ras));
  }
  add(1, 5);  // fr_fcfs
  expect(command::column, 1, now);
  make("fifo");
  expect(command::precharge, 1, std::max(now, cycle_t{10} + t.t_ras));
}

TEST_F(dram_scheduler_test, no_request_passes_an_older_one_to_its_sector) {
  make("fr_fcfs");
  queue.add(request_of(0, 7, true, 100));
  queue.add(request_of(1, 5, false, 100));
  expect(command::activate, 0, now);
}

TEST_F(dram_scheduler_test, no_column_command_is_proposed_without_room_for_answers) {
  make("fr_fcfs");
  answers_full = true;
  add(1, 5);
  EXPECT_EQ(proposed().kind, command::none);
}

// Random queues and banks: the update for the newest request proposes the cycle of a look at all requests.
TEST(every_dram_scheduler, updates_for_the_newest_request_as_it_decides_for_all) {
  const config::dram_config config = test::dram_config();
  for (std::size_t p = 0; p < config::dram_schedulers.count; ++p) {
    const auto scheduler = make_dram_scheduler(config::dram_schedulers.names[p], config);
    unsigned updates = 0;
    for (unsigned seed = 0; seed < 2000; ++seed) {
      std::mt19937 random(seed);
      bank_timing timing(config);
      cycle_t now = 10;
      for (unsigned bank = 0; bank < config.banks; ++bank) {
        if (random() % 3 == 0) continue;
        now = timing.bus_free(std::max(now + random() % 20, timing.activate_from(bank)));
        timing.activate(bank, random() % 2, now);
      }
      ++now;
      dram_request_queue queue(config.queue_entries);
      const unsigned count = 2 + random() % 6;
      next_dram_command before;
      for (unsigned i = 0; i < count; ++i) {
        if (i == count - 1) {
          scheduler->consider_requests({queue, timing, now, false}, before);
          before.at = timing.bus_free(before.at);
        }
        queue.add(request_of(random() % config.banks, random() % 2, random() % 2 != 0, random() % 8));
      }
      const dram_address& newest = queue.newest().at;
      if (before.kind == command::precharge && before.index == newest.bank) continue;  // the controller asks anew
      next_dram_command updated = before;
      if (!scheduler->consider_newest({queue, timing, now, false}, updated)) continue;
      ++updates;
      next_dram_command decided;
      scheduler->consider_requests({queue, timing, now, false}, decided);
      ASSERT_EQ(updated.at, timing.bus_free(decided.at)) << config::dram_schedulers.names[p] << ", seed " << seed;
    }
    EXPECT_TRUE(updates == 0 || updates > 1000u) << config::dram_schedulers.names[p];
  }
}

}  // namespace
}  // namespace gt200::model
