// The devices of a partition: commands in their cycles, their effect on observers and counters, and contents.
#include "sc_models/partition/dram/devices.h"

#include <stdexcept>
#include <tuple>

#include "testbenches/support/systemc_test.h"
#include "testbenches/support/transaction_generator.h"
#include "testbenches/unit/partition/dram/dram_configs.h"

namespace gt200::model {
namespace {

const config::dram_timing_config t = test::dram_config().timing;

class dram_devices_test : public support::systemc_test {
 protected:
  dram_devices_test() {
    controller.out.bind(devices.commands);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  static dram_transaction command(dram_command c, unsigned bank, tlm_bus::cycle_t at) {
    dram_transaction made;
    made.command = c;
    made.bank = bank;
    made.at = at;
    return made;
  }
  void activate(unsigned bank, std::uint32_t row, tlm_bus::cycle_t at) {
    dram_transaction made = command(dram_command::activate, bank, at);
    made.row = row;
    controller.send(made);
  }
  void precharge(unsigned bank, tlm_bus::cycle_t at) {
    controller.send(command(dram_command::precharge, bank, at));
  }
  void refresh(tlm_bus::cycle_t at) { controller.send(command(dram_command::refresh, 0, at)); }
  // Column commands; they return the end of their data.
  tlm_bus::cycle_t move(dram_command c, unsigned bank, unsigned bursts, tlm_bus::cycle_t at) {
    dram_transaction made = command(c, bank, at);
    made.bursts = bursts;
    return controller.send(made).data_end;
  }
  tlm_bus::cycle_t read(unsigned bank, unsigned bursts, tlm_bus::cycle_t at) {
    return move(dram_command::read, bank, bursts, at);
  }
  tlm_bus::cycle_t write(unsigned bank, unsigned bursts, tlm_bus::cycle_t at) {
    return move(dram_command::write, bank, bursts, at);
  }
  const bank_timing& timing() { return devices.state->timing(); }

  dram_devices devices{"devices", test::dram_config()};
  support::transaction_generator<dram_transaction> controller{"controller"};
};

TEST_F(dram_devices_test, column_commands_say_when_their_data_end) {
  activate(2, 7, 10);
  EXPECT_EQ(timing().open_row(2), 7u);
  const auto first = 10 + t.t_rcd_read;
  EXPECT_EQ(read(2, 1, first), first + t.cl + t.t_ccd);
  EXPECT_EQ(read(2, 3, first + t.t_ccd), first + t.t_ccd + t.cl + 3 * t.t_ccd);
  EXPECT_EQ(devices.reads.value(), 4u) << "bursts";
}

TEST_F(dram_devices_test, command_before_its_time_is_a_broken_controller) {
  activate(0, 1, 10);
  EXPECT_THROW(read(0, 1, 10 + t.t_rcd_read - 1), std::logic_error);
  EXPECT_THROW(precharge(0, 10 + t.t_ras - 1), std::logic_error);
  EXPECT_THROW(activate(0, 2, 500), std::logic_error) << "its row is open";
  EXPECT_THROW(write(3, 1, 500), std::logic_error) << "no row is open";
  EXPECT_NO_THROW(precharge(0, 10 + t.t_ras));
}

TEST_F(dram_devices_test, refresh_needs_closed_rows_and_keeps_all_banks_busy) {
  activate(0, 1, 10);
  EXPECT_THROW(refresh(1000), std::logic_error);
  precharge(0, 1000);
  refresh(1000 + t.t_rp);
  EXPECT_EQ(timing().activate_from(3), 1000 + t.t_rp + t.t_rfc);
  EXPECT_EQ(devices.refreshes.value(), 1u);
}

TEST_F(dram_devices_test, refreshes_in_idle_time_close_all_rows) {
  activate(0, 1, 10);
  dram_transaction refreshes = command(dram_command::refresh, 0, 20000);
  refreshes.idle_refreshes = 5;
  controller.send(refreshes);
  EXPECT_EQ(timing().open_row(0), bank_timing::no_row);
  EXPECT_EQ(timing().activate_from(0), 20000 + t.t_rp + t.t_rfc) << "rows were closed first";
  EXPECT_EQ(devices.refreshes.value(), 5u);
}

TEST_F(dram_devices_test, observer_sees_each_command_with_bank_row_and_bursts) {
  using seen = std::tuple<dram_command, unsigned, std::uint32_t, unsigned>;
  class recorder : public tlm_bus::transaction_observer<dram_transaction> {
   public:
    void transported(const sc_core::sc_object&, tlm_bus::femtoseconds, const dram_transaction& seen_one) override {
      all.emplace_back(seen_one.command, seen_one.bank, seen_one.row, seen_one.bursts);
    }
    std::vector<seen> all;
  } observer;
  devices.commands.observers().attach(observer);
  activate(1, 9, 10);
  write(1, 2, 10 + t.t_rcd_write);
  precharge(1, 200);
  refresh(300);
  EXPECT_EQ(observer.all, (std::vector<seen>{{dram_command::activate, 1, 9, 0},
                                             {dram_command::write, 1, 9, 2},
                                             {dram_command::precharge, 1, 9, 0},
                                             {dram_command::refresh, 0, 0, 0}}));
  devices.commands.observers().detach(observer);
}

TEST_F(dram_devices_test, writes_and_reads_move_the_bytes_of_the_open_row_that_are_enabled) {
  std::uint8_t data[4] = {1, 2, 3, 4}, newer[4] = {9, 9, 9, 9}, seen[6] = {};
  const std::uint8_t enables[2] = {0xff, 0};
  activate(1, 3, 10);
  dram_transaction w = command(dram_command::write, 1, 100);
  w.bursts = 1;
  w.column = 100;
  w.bytes = 4;
  w.data = data;
  controller.send(w);
  w.at = 200;
  w.data = newer;
  w.enables = enables;
  w.enable_bytes = 2;
  controller.send(w);
  dram_transaction r = command(dram_command::read, 1, 300);
  r.bursts = 1;
  r.column = 99;
  r.bytes = 6;
  r.data = seen;
  controller.send(r);
  EXPECT_EQ((std::vector<std::uint8_t>(seen, seen + 6)), (std::vector<std::uint8_t>{0, 9, 2, 9, 4, 0}));
}

TEST_F(dram_devices_test, debug_access_reads_a_row_whether_it_is_open_or_not) {
  std::uint8_t data[4] = {1, 2, 3, 4}, seen[4] = {};
  dram_transaction w = command(dram_command::write, 2, 0);
  w.row = 5;
  w.column = 8;
  w.bytes = 4;
  w.data = data;
  EXPECT_EQ(controller.out.send_debug(w), 4u);
  w.command = dram_command::read;
  w.data = seen;
  EXPECT_EQ(controller.out.send_debug(w), 4u);
  EXPECT_EQ((std::vector<std::uint8_t>(seen, seen + 4)), (std::vector<std::uint8_t>{1, 2, 3, 4}));
  EXPECT_EQ(devices.writes.value(), 0u);
}

}  // namespace
}  // namespace gt200::model
