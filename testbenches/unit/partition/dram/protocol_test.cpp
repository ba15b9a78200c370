// The device judges commands by rules of its own: what the shared table allows passes, and an entry of that table
// that is one cycle too short is found, whichever it is.
#include "sc_models/partition/dram/protocol.h"

#include <gtest/gtest.h>

#include <random>

#include "sc_models/partition/dram/bank_timing.h"
#include "testbenches/unit/partition/dram/dram_configs.h"

namespace gt200::model {
namespace {

using tlm_bus::cycle_t;

// Gives random commands, each as early as the table allows, and has them judged.
class eager_controller {
 public:
  eager_controller(const config::dram_config& config, const std::vector<timing_constraint>& table)
      : timing_(config, table), protocol_(config), banks_(config.banks) {}

  // The first complaint.
  std::string give(unsigned count) {
    for (unsigned k = 0; k < count && complaint_.empty(); ++k) {
      const unsigned bank = choose(banks_);
      if (choose(12) == 0)
        refresh();
      else if (timing_.open_row(bank) == bank_timing::no_row)
        give(dram_command::activate, bank, timing_.activate_from(bank));
      else if (choose(3) == 0)
        give(dram_command::precharge, bank, timing_.precharge_from(bank));
      else if (choose(2) == 0)
        give(dram_command::read, bank, timing_.read_from(bank));
      else
        give(dram_command::write, bank, timing_.write_from(bank));
    }
    return complaint_;
  }

 private:
  unsigned choose(unsigned below) { return std::uniform_int_distribution<unsigned>(0, below - 1)(random_); }

  void refresh() {
    for (unsigned bank = 0; bank < banks_; ++bank)
      if (timing_.open_row(bank) != bank_timing::no_row)
        give(dram_command::precharge, bank, timing_.precharge_from(bank));
    give(dram_command::refresh, 0, timing_.refresh_from());
  }

  void give(dram_command command, unsigned bank, cycle_t from) {
    dram_transaction c;
    c.command = command;
    c.bank = bank;
    c.row = 1;
    c.bursts = 1 + choose(3);
    c.at = now_ = timing_.bus_free(std::max(from, now_ + 1));
    switch (command) {
      case dram_command::activate: timing_.activate(bank, c.row, c.at); break;
      case dram_command::precharge: timing_.precharge(bank, c.at); break;
      case dram_command::read: timing_.read(bank, c.bursts, c.at); break;
      case dram_command::write: timing_.write(bank, c.bursts, c.at); break;
      case dram_command::refresh: timing_.refresh(c.at); break;
    }
    if (std::string wrong = protocol_.judge(c); complaint_.empty()) complaint_ = std::move(wrong);
  }

  bank_timing timing_;
  dram_protocol protocol_;
  unsigned banks_;
  std::mt19937 random_{20};
  cycle_t now_ = 100;
  std::string complaint_;
};

constexpr unsigned commands = 20'000;

TEST(dram_protocol, has_nothing_against_what_the_table_allows) {
  for (const unsigned banks : {4u, 16u}) {
    auto config = test::dram_config();
    config.banks = banks;
    EXPECT_EQ(eager_controller(config, timing_table(config.timing)).give(commands), "");
  }
}

// In the order of timing_table().
class short_by_a_cycle : public testing::TestWithParam<std::pair<unsigned, const char*>> {};

TEST_P(short_by_a_cycle, is_found_and_named) {
  const auto [row, rule] = GetParam();
  auto config = test::dram_config();
  config.banks = 8;
  std::vector<timing_constraint> table = timing_table(config.timing);
  ASSERT_LT(row, table.size());
  --table[row].cycles;
  const std::string complaint = eager_controller(config, table).give(commands);
  EXPECT_NE(complaint.find(std::string(" breaks ") + rule), std::string::npos) << complaint;
}
INSTANTIATE_TEST_SUITE_P(each_row, short_by_a_cycle,
                         testing::Values(std::pair(0u, "t_rcd_read: "), std::pair(1u, "t_rcd_write: "),
                                         std::pair(2u, "t_ras: "), std::pair(3u, "t_rc: "), std::pair(4u, "t_rp: "),
                                         std::pair(5u, "t_ccd (the array is read): "), std::pair(6u, "t_wr "),
                                         std::pair(7u, "t_rrd: "), std::pair(8u, "t_faw: "),
                                         std::pair(9u, "t_ccd: "), std::pair(10u, "t_ccd: "),
                                         std::pair(11u, "t_rtw: "), std::pair(12u, "t_wtr "),
                                         std::pair(13u, "t_rc: "), std::pair(14u, "t_rp: "),
                                         std::pair(15u, "t_rfc: "), std::pair(16u, "t_rfc: ")));
TEST(each_row_of_the_table, is_tried) { EXPECT_EQ(timing_table(test::dram_config().timing).size(), 17u); }

TEST(dram_protocol, names_rule_bank_both_commands_and_their_cycles) {
  dram_protocol protocol(test::dram_config());
  dram_transaction c;
  c.bank = 3;
  c.at = 100;
  EXPECT_EQ(protocol.judge(c), "");
  c.command = dram_command::precharge;
  c.at = 121;
  EXPECT_EQ(
      protocol.judge(c),
      "precharge of bank 3 in memory cycle 121 breaks t_ras: 21 of 37 cycles after the activate of the bank in "
      "memory cycle 100");
}

TEST(dram_protocol, knows_which_banks_are_open) {
  dram_protocol protocol(test::dram_config());
  dram_transaction c;
  c.at = 100;
  c.command = dram_command::read;
  c.bursts = 1;
  EXPECT_EQ(protocol.judge(c), "read of bank 0 in memory cycle 100: the bank has no open row");
}

}  // namespace
}  // namespace gt200::model
