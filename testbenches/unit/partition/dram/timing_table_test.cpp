// Every line of the table of timing constraints holds exactly: accepted at its distance, refused one cycle earlier,
// and binding for the banks of its scope alone. All lines together: what bank_timing allows is what a search
// through the history of commands allows, for random commands.
#include "sc_models/partition/dram/timing_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <stdexcept>
#include <string>

#include "sc_models/partition/dram/bank_timing.h"
#include "testbenches/unit/partition/dram/dram_configs.h"

namespace gt200::model {

const char* name_of(dram_command c) {
  constexpr const char* names[] = {"activate", "precharge", "read", "write", "refresh"};
  return names[static_cast<unsigned>(c)];
}
void PrintTo(const timing_constraint& c, std::ostream* out) {
  constexpr const char* scopes[] = {"of_a_bank", "of_the_device", "in_a_window"};
  *out << name_of(c.from) << "_to_" << name_of(c.to) << '_' << scopes[static_cast<unsigned>(c.scope)];
}

namespace {

using tlm_bus::cycle_t;

config::dram_config eight_banks() {
  auto config = test::dram_config();
  config.banks = 8;
  return config;
}

void give(bank_timing& timing, dram_command c, unsigned bank, cycle_t at) {
  switch (c) {
    case dram_command::activate: timing.activate(bank, 1, at); break;
    case dram_command::precharge: timing.precharge(bank, at); break;
    case dram_command::read: timing.read(bank, 1, at); break;
    case dram_command::write: timing.write(bank, 1, at); break;
    case dram_command::refresh: timing.refresh(at); break;
  }
}

class constraint : public ::testing::TestWithParam<timing_constraint> {
 protected:
  static constexpr cycle_t from_at = 1000;
  static constexpr std::uint32_t distance = 50;

  // The table with this line at `distance` and all others at one cycle.
  static std::vector<timing_constraint> alone() {
    auto table = timing_table(eight_banks().timing);
    for (auto& c : table) {
      const bool wanted = c.scope == GetParam().scope && c.from == GetParam().from && c.to == GetParam().to;
      c.cycles = wanted ? distance : 1;
    }
    return table;
  }
  static bool needs_row(dram_command c) { return c != dram_command::activate && c != dram_command::refresh; }

  // `from` for bank 0 at from_at, then `to` for `bank` at `at`; whether that is accepted.
  static bool accepted(unsigned bank, cycle_t at) {
    const dram_command from = GetParam().from;
    const dram_command to = GetParam().to;
    bank_timing timing(eight_banks(), alone());
    if (needs_row(from)) timing.activate(0, 1, 100);
    if (bank != 0 && needs_row(to)) timing.activate(bank, 1, 200);
    cycle_t last_from = from_at;
    if (GetParam().scope == constraint_scope::window) {
      for (unsigned i = 0; i < activates_in_window; ++i) timing.activate(1 + i, 1, from_at + i);
      last_from = from_at + activates_in_window - 1;
    } else {
      give(timing, from, 0, from_at);
    }
    // The row that `to` needs, or must not find, in between.
    const bool open = timing.open_row(bank) != bank_timing::no_row;
    if (to == dram_command::refresh && timing.open_row(0) != bank_timing::no_row)
      timing.precharge(0, last_from + 1);
    else if (open && !needs_row(to))
      timing.precharge(bank, last_from + 1);
    else if (!open && needs_row(to))
      timing.activate(bank, 1, last_from + 1);
    try {
      give(timing, to, bank, at);
      return true;
    } catch (const std::logic_error&) {
      return false;
    }
  }
};

TEST_P(constraint, holds_from_its_distance_on) {
  EXPECT_FALSE(accepted(0, from_at + distance - 1));
  EXPECT_TRUE(accepted(0, from_at + distance));
}

TEST_P(constraint, binds_other_banks_unless_it_is_of_a_bank) {
  if (GetParam().to == dram_command::refresh) return;  // of all banks at once
  EXPECT_EQ(accepted(7, from_at + distance - 1), GetParam().scope == constraint_scope::bank);
  EXPECT_TRUE(accepted(7, from_at + distance));
}

INSTANTIATE_TEST_SUITE_P(each, constraint, ::testing::ValuesIn(timing_table(test::dram_config().timing)),
                         [](const auto& c) { return ::testing::PrintToString(c.param); });

// -- all lines together --

// What has been given, searched line by line of the table.
class history {
 public:
  explicit history(const config::dram_config& config) : table_(timing_table(config.timing)), rows_(config.banks) {}

  bool fits(dram_command c, unsigned bank) const {
    if (c == dram_command::refresh) return std::find(rows_.begin(), rows_.end(), true) == rows_.end();
    return rows_[bank] == (c != dram_command::activate);
  }
  bool allows(dram_command c, unsigned bank, cycle_t at) const {
    for (const timing_constraint& rule : table_) {
      if (rule.to != c) continue;
      unsigned back = rule.scope == constraint_scope::window ? activates_in_window : 1;
      for (auto g = given_.rbegin(); g != given_.rend() && back != 0 && at < g->at + longest; ++g) {
        if (g->command != rule.from || (rule.scope == constraint_scope::bank && g->bank != bank)) continue;
        if (--back == 0 && at < g->at + rule.cycles) return false;
      }
    }
    return true;
  }
  void add(dram_command c, unsigned bank, cycle_t at) {
    given_.push_back({c, bank, at});
    if (c == dram_command::activate || c == dram_command::precharge) rows_[bank] = c == dram_command::activate;
  }

 private:
  struct command_at {
    dram_command command;
    unsigned bank;
    cycle_t at;
  };
  static constexpr cycle_t longest = 200;  // no distance is
  std::vector<timing_constraint> table_;
  std::vector<bool> rows_;
  std::vector<command_at> given_;
};

TEST(timing_table, random_commands_are_accepted_exactly_when_no_line_forbids_them) {
  const auto config = eight_banks();
  bank_timing timing(config);
  history reference(config);
  std::mt19937 random(5);
  unsigned accepted = 0;
  unsigned refused = 0;
  for (cycle_t at = 100; at < 40'000; ++at) {
    const auto c = static_cast<dram_command>(random() % dram_commands);
    const unsigned bank = random() % (random() % 2 == 0 ? 2 : 8);
    if (!reference.fits(c, bank)) continue;
    const bool legal = reference.allows(c, bank, at);
    bool taken = true;
    try {
      give(timing, c, bank, at);
    } catch (const std::logic_error&) {
      taken = false;
    }
    ASSERT_EQ(taken, legal) << name_of(c) << " of bank " << bank << " in cycle " << at;
    if (taken) reference.add(c, bank, at);
    ++(taken ? accepted : refused);
  }
  EXPECT_GT(accepted, 1000u);
  EXPECT_GT(refused, 1000u);
}

}  // namespace
}  // namespace gt200::model
