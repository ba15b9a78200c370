// The devices of a partition: commands in their cycles, their effect on observers and counters, and contents.
#include "sc_models/partition/dram/devices.h"

#include <stdexcept>
#include <tuple>

#include "testbenches/support/systemc_test.h"
#include "testbenches/unit/partition/dram/dram_configs.h"

namespace gt200::model {
namespace {

const config::dram_timing_config t = test::dram_config().timing;

class dram_devices_test : public support::systemc_test {
 protected:
  dram_devices devices{"devices", test::dram_config()};
  dram_devices_if& pins() { return *devices.pins.operator->(); }
};

TEST_F(dram_devices_test, column_commands_say_when_their_data_end) {
  pins().activate(2, 7, 10);
  EXPECT_EQ(pins().timing().open_row(2), 7u);
  const auto first = 10 + t.t_rcd_read;
  EXPECT_EQ(pins().read(2, 1, first), first + t.cl + t.t_ccd);
  EXPECT_EQ(pins().read(2, 3, first + t.t_ccd), first + t.t_ccd + t.cl + 3 * t.t_ccd);
  EXPECT_EQ(devices.reads.value(), 4u) << "bursts";
}

TEST_F(dram_devices_test, command_before_its_time_is_a_broken_controller) {
  pins().activate(0, 1, 10);
  EXPECT_THROW(pins().read(0, 1, 10 + t.t_rcd_read - 1), std::logic_error);
  EXPECT_THROW(pins().precharge(0, 10 + t.t_ras - 1), std::logic_error);
  EXPECT_THROW(pins().activate(0, 2, 500), std::logic_error) << "its row is open";
  EXPECT_THROW(pins().write(3, 1, 500), std::logic_error) << "no row is open";
  EXPECT_NO_THROW(pins().precharge(0, 10 + t.t_ras));
}

TEST_F(dram_devices_test, refresh_needs_closed_rows_and_keeps_all_banks_busy) {
  pins().activate(0, 1, 10);
  EXPECT_THROW(pins().refresh(1000), std::logic_error);
  pins().precharge(0, 1000);
  pins().refresh(1000 + t.t_rp);
  EXPECT_EQ(pins().timing().activate_from(3), 1000 + t.t_rp + t.t_rfc);
  EXPECT_EQ(devices.refreshes.value(), 1u);
}

TEST_F(dram_devices_test, refreshes_in_idle_time_close_all_rows) {
  pins().activate(0, 1, 10);
  pins().refreshed_in_idle_time(5, 20000);
  EXPECT_EQ(pins().timing().open_row(0), bank_timing::no_row);
  EXPECT_EQ(pins().timing().activate_from(0), 20000 + t.t_rp + t.t_rfc) << "rows were closed first";
  EXPECT_EQ(devices.refreshes.value(), 5u);
}

TEST_F(dram_devices_test, observer_sees_each_command_with_bank_row_and_bursts) {
  using seen = std::tuple<dram_command, unsigned, std::uint32_t, unsigned>;
  class recorder : public dram_observer {
   public:
    void commanded(const sc_core::sc_object&, dram_command command, unsigned bank, std::uint32_t row,
                   unsigned bursts) override {
      all.emplace_back(command, bank, row, bursts);
    }
    std::vector<seen> all;
  } observer;
  devices.observers().attach(observer);
  pins().activate(1, 9, 10);
  pins().write(1, 2, 10 + t.t_rcd_write);
  pins().precharge(1, 200);
  pins().refresh(300);
  EXPECT_EQ(observer.all, (std::vector<seen>{{dram_command::activate, 1, 9, 0},
                                             {dram_command::write, 1, 9, 2},
                                             {dram_command::precharge, 1, 9, 0},
                                             {dram_command::refresh, 0, 0, 0}}));
  devices.observers().detach(observer);
}

TEST_F(dram_devices_test, contents_keep_masked_bytes) {
  const std::uint8_t data[4] = {1, 2, 3, 4};
  const std::uint8_t enables[4] = {0xff, 0, 0, 0xff};
  pins().store(100, data, 4, nullptr);
  const std::uint8_t newer[4] = {9, 9, 9, 9};
  pins().store(100, newer, 4, enables);
  std::uint8_t read[6] = {};
  pins().load(99, read, 6);
  EXPECT_EQ((std::vector<std::uint8_t>(read, read + 6)), (std::vector<std::uint8_t>{0, 9, 2, 3, 9, 0}));
}

}  // namespace
}  // namespace gt200::model
