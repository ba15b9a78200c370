// The rows that a page policy closes early, and from which cycle on.
#include "sc_models/partition/dram/page_policies/page_policy.h"

#include <gtest/gtest.h>

#include "sc_models/config/policy.h"
#include "testbenches/unit/partition/dram/dram_configs.h"

namespace gt200::model {
namespace {

using tlm_bus::cycle_t;
using command = next_dram_command::command;

constexpr unsigned idle_close = 200;
constexpr cycle_t opened = 10;
constexpr cycle_t used = 30;

// Bank 1 has row 5 open, opened in cycle 10 and read in 30.
class page_policy_test : public ::testing::Test {
 protected:
  page_policy_test() {
    config.idle_close_cycles = idle_close;
    timing.activate(1, 5, opened);
    timing.read(1, 1, used);
  }
  void make(const char* name) {
    policy = make_page_policy(name, config);
    policy->used(1, used);
  }
  void queue_request(unsigned bank, std::uint32_t row) {
    dram_request r;
    r.at = {bank, row, 0};
    queue.add(r);
  }
  next_dram_command closing(cycle_t now) const {
    next_dram_command best;
    policy->consider_closing({queue, timing, now, false}, best);
    return best;
  }
  void expect_closes_in(cycle_t at, cycle_t now) const {
    const next_dram_command best = closing(now);
    EXPECT_EQ(best.kind, command::precharge);
    EXPECT_EQ(best.index, 1u);
    EXPECT_EQ(best.at, at);
  }

  config::dram_config config = test::dram_config();
  bank_timing timing{config};
  dram_request_queue queue{8};
  std::unique_ptr<page_policy> policy;
};

TEST_F(page_policy_test, open_row_is_closed_after_its_idle_time) {
  make("open");
  expect_closes_in(used + idle_close, used + 1);
  expect_closes_in(used + idle_close + 7, used + idle_close + 7);
}

TEST_F(page_policy_test, open_row_is_never_closed_without_an_idle_time) {
  config.idle_close_cycles = 0;
  make("open");
  EXPECT_EQ(closing(1'000'000).kind, command::none);
}

TEST_F(page_policy_test, open_row_stays_while_a_request_waits_for_its_bank) {
  make("open");
  queue_request(2, 5);
  expect_closes_in(used + idle_close, used + 1);
  queue_request(1, 6);
  EXPECT_EQ(closing(used + 1).kind, command::none);
}

TEST_F(page_policy_test, closed_row_is_closed_as_soon_as_it_may_be) {
  make("closed");
  expect_closes_in(opened + config.timing.t_ras, used + 1);
  expect_closes_in(100, 100);
}

TEST_F(page_policy_test, closed_row_stays_for_a_request_to_it_only) {
  make("closed");
  queue_request(1, 6);
  queue_request(2, 5);
  expect_closes_in(opened + config.timing.t_ras, used + 1);
  queue_request(1, 5);
  EXPECT_EQ(closing(used + 1).kind, command::none);
}

// The controller relies on this: no proposal for a bank without an open row, and none before `now`.
TEST(every_page_policy, proposes_legal_precharges_only) {
  for (std::size_t i = 0; i < config::page_policies.count; ++i) {
    const config::dram_config config = test::dram_config();
    const auto policy = make_page_policy(config::page_policies.names[i], config);
    bank_timing timing(config);
    const dram_request_queue queue(8);
    next_dram_command best;
    policy->consider_closing({queue, timing, 5, false}, best);
    EXPECT_EQ(best.kind, command::none) << config::page_policies.names[i];
    timing.activate(2, 3, 10);
    policy->consider_closing({queue, timing, 500, false}, best);
    if (best.kind == command::none) continue;
    EXPECT_EQ(best.kind, command::precharge) << config::page_policies.names[i];
    EXPECT_EQ(best.index, 2u) << config::page_policies.names[i];
    EXPECT_GE(best.at, 500u) << config::page_policies.names[i];
  }
}

}  // namespace
}  // namespace gt200::model
