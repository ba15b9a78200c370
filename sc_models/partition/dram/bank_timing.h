// When a GDDR3 device may take which command: the timing rules of the banks and the buses they share. Plain C++.
//
// One command per cycle of the memory clock. Column commands are issued in groups: n bursts of one row, t_ccd
// apart, which is how a controller serves a transaction of several bursts. Every rule is one line in the .cpp file.
// Two devices in lock-step are one here. Source of the distances: config/dram_config.h.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "sc_models/config/dram_config.h"
#include "tlm_bus/time.h"

namespace gt200::model {

class bank_timing {
 public:
  static constexpr std::uint32_t no_row = ~std::uint32_t{0};

  explicit bank_timing(const config::dram_config& config);

  std::uint32_t open_row(unsigned bank) const { return banks_[bank].row; }

  // From which cycle on the command is legal by the timing of banks and data bus, given the commands issued so far
  // and the state of the bank (closed for activate, open for the others). All banks closed: of a refresh.
  tlm_bus::cycle_t activate_from(unsigned bank) const {
    return std::max({banks_[bank].activate_from, activate_from_, activates_[oldest_activate_]});
  }
  tlm_bus::cycle_t precharge_from(unsigned bank) const { return banks_[bank].precharge_from; }
  tlm_bus::cycle_t read_from(unsigned bank) const { return std::max(banks_[bank].read_from, read_from_); }
  tlm_bus::cycle_t write_from(unsigned bank) const { return std::max(banks_[bank].write_from, write_from_); }
  tlm_bus::cycle_t refresh_from() const;
  // The first cycle at or after `at` in which the command bus is free. A command is legal in the cycles for which
  // its x_from() is reached and the bus is free.
  tlm_bus::cycle_t bus_free(tlm_bus::cycle_t at) const;

  // Issue a command at `at`. An illegal one throws std::logic_error that says which.
  void activate(unsigned bank, std::uint32_t row, tlm_bus::cycle_t at);
  void precharge(unsigned bank, tlm_bus::cycle_t at);
  // Column commands at `at`, `at` + t_ccd, ...; return the cycle after the last data cycle.
  tlm_bus::cycle_t read(unsigned bank, unsigned bursts, tlm_bus::cycle_t at);
  tlm_bus::cycle_t write(unsigned bank, unsigned bursts, tlm_bus::cycle_t at);
  void refresh(tlm_bus::cycle_t at);
  // A refresh due at `at` that was given since, without anything else to do: all rows have been closed for it.
  void refreshed_in_idle_time(tlm_bus::cycle_t at);

 private:
  struct bank_state {
    std::uint32_t row = no_row;
    tlm_bus::cycle_t activate_from = 0;   // t_rc, t_rp, t_rfc
    tlm_bus::cycle_t precharge_from = 0;  // t_ras, read to precharge, t_wr
    tlm_bus::cycle_t read_from = 0;       // t_rcd_read
    tlm_bus::cycle_t write_from = 0;      // t_rcd_write
  };
  void check(bool state_fits, tlm_bus::cycle_t legal_from, const char* command, unsigned bank,
             tlm_bus::cycle_t at) const;
  // Occupies the command bus with a group; returns the cycle of its last command.
  tlm_bus::cycle_t column_group(unsigned bursts, tlm_bus::cycle_t at);

  config::dram_timing_config t_;
  std::vector<bank_state> banks_;
  tlm_bus::cycle_t read_from_ = 0;               // t_ccd, t_wtr
  tlm_bus::cycle_t write_from_ = 0;              // t_ccd, t_rtw
  tlm_bus::cycle_t activate_from_ = 0;           // t_rrd
  std::array<tlm_bus::cycle_t, 4> activates_{};  // when the fourth next activate may come (t_faw); ring
  unsigned oldest_activate_ = 0;
  tlm_bus::cycle_t last_row_command_ = tlm_bus::no_cycle;
  tlm_bus::cycle_t group_first_ = 0;  // last group of column commands: its first command and the end of its last
  tlm_bus::cycle_t group_end_ = 0;
};

}  // namespace gt200::model
