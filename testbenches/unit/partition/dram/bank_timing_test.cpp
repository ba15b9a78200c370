// Every distance between commands: legal at t, illegal at t - 1.
#include "sc_models/partition/dram/bank_timing.h"

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

#include "testbenches/unit/partition/dram/dram_configs.h"

namespace gt200::model {
namespace {

using tlm_bus::cycle_t;
using commands = std::function<void(bank_timing&)>;
using command_at = std::function<void(bank_timing&, cycle_t)>;

const config::dram_timing_config t = test::dram_config().timing;

// After `before`, `command` is legal in cycle `at` and not in the one before.
void expect_first_legal(const commands& before, const command_at& command, cycle_t at) {
  {
    bank_timing timing(test::dram_config());
    before(timing);
    EXPECT_THROW(command(timing, at - 1), std::logic_error) << "legal in " << at - 1;
  }
  {
    bank_timing timing(test::dram_config());
    before(timing);
    EXPECT_NO_THROW(command(timing, at)) << "illegal in " << at;
  }
}

const command_at read_0 = [](bank_timing& b, cycle_t at) { b.read(0, 1, at); };
const command_at write_0 = [](bank_timing& b, cycle_t at) { b.write(0, 1, at); };
const command_at precharge_0 = [](bank_timing& b, cycle_t at) { b.precharge(0, at); };
const command_at activate_0 = [](bank_timing& b, cycle_t at) { b.activate(0, 5, at); };
const command_at refresh = [](bank_timing& b, cycle_t at) { b.refresh(at); };

TEST(bank_timing_test, activate_to_column) {
  const commands open = [](bank_timing& b) { b.activate(0, 1, 100); };
  expect_first_legal(open, read_0, 100 + t.t_rcd_read);
  expect_first_legal(open, write_0, 100 + t.t_rcd_write);
}

TEST(bank_timing_test, activate_to_precharge) {
  expect_first_legal([](bank_timing& b) { b.activate(0, 1, 100); }, precharge_0, 100 + t.t_ras);
}

TEST(bank_timing_test, precharge_to_activate) {
  expect_first_legal(
      [](bank_timing& b) {
        b.activate(0, 1, 100);
        b.precharge(0, 200);
      },
      activate_0, 200 + t.t_rp);
}

TEST(bank_timing_test, activate_to_activate_of_a_bank) {
  expect_first_legal(
      [](bank_timing& b) {
        b.activate(0, 1, 100);
        b.precharge(0, 100 + t.t_ras);
      },
      activate_0, 100 + t.t_rc);
}

TEST(bank_timing_test, activate_to_activate_of_another_bank) {
  expect_first_legal([](bank_timing& b) { b.activate(1, 1, 100); }, activate_0, 100 + t.t_rrd);
}

TEST(bank_timing_test, four_activates_in_a_window) {
  auto config = test::dram_config();
  config.banks = 8;
  const auto before = [](bank_timing& b) {
    for (unsigned i = 0; i < 4; ++i) b.activate(1 + i, 1, 100 + i * t.t_rrd);
  };
  bank_timing early(config);
  before(early);
  EXPECT_THROW(early.activate(0, 1, 100 + t.t_faw - 1), std::logic_error);
  bank_timing late(config);
  before(late);
  EXPECT_NO_THROW(late.activate(0, 1, 100 + t.t_faw));
}

TEST(bank_timing_test, column_to_column) {
  expect_first_legal(
      [](bank_timing& b) {
        b.activate(0, 1, 100);
        b.read(0, 3, 200);
      },
      read_0, 200 + 3 * t.t_ccd);
  expect_first_legal(
      [](bank_timing& b) {
        b.activate(0, 1, 100);
        b.write(0, 3, 200);
      },
      write_0, 200 + 3 * t.t_ccd);
}

TEST(bank_timing_test, read_to_write) {
  expect_first_legal(
      [](bank_timing& b) {
        b.activate(0, 1, 100);
        b.read(0, 2, 200);
      },
      write_0, 200 + t.t_ccd + t.t_rtw);
}

TEST(bank_timing_test, end_of_write_data_to_read) {
  expect_first_legal(
      [](bank_timing& b) {
        b.activate(0, 1, 100);
        b.write(0, 2, 200);
      },
      read_0, 200 + t.t_ccd + t.wl + t.t_ccd + t.t_wtr);
}

TEST(bank_timing_test, end_of_write_data_to_precharge) {
  expect_first_legal(
      [](bank_timing& b) {
        b.activate(0, 1, 100);
        b.write(0, 2, 200);
      },
      precharge_0, 200 + t.t_ccd + t.wl + t.t_ccd + t.t_wr);
}

TEST(bank_timing_test, read_to_precharge) {
  expect_first_legal(
      [](bank_timing& b) {
        b.activate(0, 1, 100);
        b.read(0, 2, 200);
      },
      precharge_0, 200 + t.t_ccd + t.t_ccd);
}

TEST(bank_timing_test, refresh_to_activate_and_precharge_to_refresh) {
  expect_first_legal([](bank_timing& b) { b.refresh(100); }, activate_0, 100 + t.t_rfc);
  expect_first_legal(
      [](bank_timing& b) {
        b.activate(0, 1, 100);
        b.precharge(0, 200);
      },
      refresh, 200 + t.t_rp);
}

TEST(bank_timing_test, refresh_in_idle_time_closes_all_rows_and_takes_its_time) {
  bank_timing b(test::dram_config());
  b.activate(0, 1, 100);
  b.refreshed_in_idle_time(1000);
  EXPECT_EQ(b.open_row(0), bank_timing::no_row);
  EXPECT_THROW(b.activate(0, 1, 1000 + t.t_rp + t.t_rfc - 1), std::logic_error);
  EXPECT_NO_THROW(b.activate(0, 1, 1000 + t.t_rp + t.t_rfc));
}

TEST(bank_timing_test, one_command_per_cycle) {
  bank_timing b(test::dram_config());
  b.activate(0, 1, 100);
  b.activate(1, 1, 200);
  b.precharge(0, 300);
  EXPECT_THROW(b.precharge(1, 300), std::logic_error);
  b.read(1, 4, 310);  // commands in 310, 312, 314, 316
  EXPECT_THROW(b.activate(2, 1, 314), std::logic_error);
  EXPECT_NO_THROW(b.activate(2, 1, 315));
}

TEST(bank_timing_test, data_ends_after_latency_and_bursts) {
  bank_timing b(test::dram_config());
  b.activate(0, 1, 100);
  EXPECT_EQ(b.read(0, 4, 200), 200u + 3 * t.t_ccd + t.cl + t.t_ccd);
  EXPECT_EQ(b.write(0, 4, 300), 300u + 3 * t.t_ccd + t.wl + t.t_ccd);
}

TEST(bank_timing_test, commands_need_the_right_state_of_the_bank) {
  bank_timing b(test::dram_config());
  EXPECT_THROW(b.read(0, 1, 100), std::logic_error);
  EXPECT_THROW(b.precharge(0, 100), std::logic_error);
  b.activate(0, 1, 100);
  EXPECT_THROW(b.activate(0, 2, 500), std::logic_error);
  EXPECT_THROW(b.refresh(500), std::logic_error);
}

}  // namespace
}  // namespace gt200::model
