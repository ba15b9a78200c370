// The times at which a GDDR3 device may take a command: timing rules of the banks and of the buses they share.
// Plain C++.
//
// One command is given per cycle of the memory clock. Column commands are issued in groups of n bursts of one row,
// t_ccd apart, because a controller serves a transaction of several bursts this way. The distances come from a
// table, timing_table.h. Two devices in lock-step are modelled as one.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "sc_models/config/dram_config.h"
#include "sc_models/partition/dram/timing_table.h"
#include "tlm_bus/time.h"

namespace gt200::model {

class bank_timing {
 public:
  static constexpr std::uint32_t no_row = ~std::uint32_t{0};

  explicit bank_timing(const config::dram_config& config) : bank_timing(config, timing_table(config.timing)) {}
  bank_timing(const config::dram_config& config, const std::vector<timing_constraint>& table);

  std::uint32_t open_row(unsigned bank) const { return banks_[bank].row; }

  // The first cycle in which the command is legal by the timing of banks and data bus, given the commands issued so
  // far. The bank must be closed for activate and open for the other commands; for refresh all banks must be
  // closed.
  tlm_bus::cycle_t activate_from(unsigned bank) const {
    return std::max(from(dram_command::activate, bank), window_[oldest_in_window_]);
  }
  tlm_bus::cycle_t precharge_from(unsigned bank) const { return from(dram_command::precharge, bank); }
  tlm_bus::cycle_t read_from(unsigned bank) const { return from(dram_command::read, bank); }
  tlm_bus::cycle_t write_from(unsigned bank) const { return from(dram_command::write, bank); }
  tlm_bus::cycle_t refresh_from() const { return device_from_[index(dram_command::refresh)]; }
  // The first cycle at or after `at` in which the command bus is free. A command is legal in a cycle that has
  // reached its x_from() and in which the bus is free.
  tlm_bus::cycle_t bus_free(tlm_bus::cycle_t at) const;

  // Issue a command at `at`. An illegal command throws std::logic_error that names it.
  void activate(unsigned bank, std::uint32_t row, tlm_bus::cycle_t at);
  void precharge(unsigned bank, tlm_bus::cycle_t at);
  // Column commands at `at`, `at` + t_ccd, ...; return the cycle after the last data cycle.
  tlm_bus::cycle_t read(unsigned bank, unsigned bursts, tlm_bus::cycle_t at);
  tlm_bus::cycle_t write(unsigned bank, unsigned bursts, tlm_bus::cycle_t at);
  void refresh(tlm_bus::cycle_t at);
  // Records a refresh that became due at `at` and was given later in idle time, with all rows closed for it.
  void refreshed_in_idle_time(tlm_bus::cycle_t at);

 private:
  using earliest = std::array<tlm_bus::cycle_t, dram_commands>;  // by command: from which cycle on it is legal
  struct bank_state {
    std::uint32_t row = no_row;
    earliest from{};
  };
  struct distance {
    dram_command to;
    std::uint32_t cycles;
  };
  static constexpr std::size_t index(dram_command c) { return static_cast<std::size_t>(c); }
  tlm_bus::cycle_t from(dram_command c, unsigned bank) const {
    return std::max(banks_[bank].from[index(c)], device_from_[index(c)]);
  }
  void check(bool state_fits, tlm_bus::cycle_t legal_from, const char* command, unsigned bank,
             tlm_bus::cycle_t at) const;
  // Later commands must keep their distance to this command, given at `at`.
  void given(dram_command c, unsigned bank, tlm_bus::cycle_t at);
  // Reserves the command bus for a group; returns the cycle of its last command.
  tlm_bus::cycle_t column_group(unsigned bursts, tlm_bus::cycle_t at);

  config::dram_timing_config t_;
  std::array<std::vector<distance>, dram_commands> within_bank_;  // by `from`
  std::array<std::vector<distance>, dram_commands> within_device_;
  std::uint32_t window_cycles_ = 0;
  std::vector<bank_state> banks_;
  earliest device_from_{};
  // ring: until when each activate blocks a further one
  std::array<tlm_bus::cycle_t, activates_in_window> window_{};
  unsigned oldest_in_window_ = 0;
  tlm_bus::cycle_t last_row_command_ = tlm_bus::no_cycle;
  tlm_bus::cycle_t group_first_ = 0;  // last group of column commands: its first command and the end of its last
  tlm_bus::cycle_t group_end_ = 0;
};

}  // namespace gt200::model
