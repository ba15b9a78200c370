#include "sc_models/partition/dram/bank_timing.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace gt200::model {

using tlm_bus::cycle_t;

bank_timing::bank_timing(const config::dram_config& config, const std::vector<timing_constraint>& table)
    : t_(config.timing), banks_(config.banks) {
  for (const timing_constraint& c : table) {
    switch (c.scope) {
      case constraint_scope::bank: within_bank_[index(c.from)].push_back({c.to, c.cycles}); break;
      case constraint_scope::device: within_device_[index(c.from)].push_back({c.to, c.cycles}); break;
      case constraint_scope::window:
        if (c.from != dram_command::activate || c.to != dram_command::activate)
          throw std::logic_error("bank timing: only activates have a window");
        window_cycles_ = c.cycles;
        break;
    }
  }
}

cycle_t bank_timing::bus_free(cycle_t at) const {
  if (at == last_row_command_) ++at;
  if (at < group_first_ || at >= group_end_) return at;
  if (t_.t_ccd == 1) return group_end_;
  return (at - group_first_) % t_.t_ccd == 0 ? at + 1 : at;
}

void bank_timing::check(bool state_fits, cycle_t legal_from, const char* command, unsigned bank, cycle_t at) const {
  if (!state_fits || at < legal_from || bus_free(at) != at)
    throw std::logic_error(std::string(command) + " of bank " + std::to_string(bank) +
                           " is illegal in memory cycle " + std::to_string(at));
}

void bank_timing::given(dram_command c, unsigned bank, cycle_t at) {
  earliest& of_bank = banks_[bank].from;
  for (const distance& d : within_bank_[index(c)])
    of_bank[index(d.to)] = std::max(of_bank[index(d.to)], at + d.cycles);
  for (const distance& d : within_device_[index(c)])
    device_from_[index(d.to)] = std::max(device_from_[index(d.to)], at + d.cycles);
}

void bank_timing::activate(unsigned bank, std::uint32_t row, cycle_t at) {
  check(banks_[bank].row == no_row, activate_from(bank), "activate", bank, at);
  banks_[bank].row = row;
  given(dram_command::activate, bank, at);
  window_[oldest_in_window_] = at + window_cycles_;
  oldest_in_window_ = (oldest_in_window_ + 1) % activates_in_window;
  last_row_command_ = at;
}

void bank_timing::precharge(unsigned bank, cycle_t at) {
  check(banks_[bank].row != no_row, precharge_from(bank), "precharge", bank, at);
  banks_[bank].row = no_row;
  given(dram_command::precharge, bank, at);
  last_row_command_ = at;
}

cycle_t bank_timing::column_group(unsigned bursts, cycle_t at) {
  const cycle_t last = at + cycle_t{bursts - 1} * t_.t_ccd;
  group_first_ = at;
  group_end_ = last + 1;
  return last;
}

cycle_t bank_timing::read(unsigned bank, unsigned bursts, cycle_t at) {
  check(banks_[bank].row != no_row && bursts != 0, read_from(bank), "read", bank, at);
  const cycle_t last = column_group(bursts, at);
  given(dram_command::read, bank, last);
  return last + t_.cl + t_.t_ccd;
}

cycle_t bank_timing::write(unsigned bank, unsigned bursts, cycle_t at) {
  check(banks_[bank].row != no_row && bursts != 0, write_from(bank), "write", bank, at);
  const cycle_t last = column_group(bursts, at);
  given(dram_command::write, bank, last);
  return last + t_.wl + t_.t_ccd;
}

void bank_timing::refresh(cycle_t at) {
  for (unsigned bank = 0; bank < banks_.size(); ++bank)
    check(banks_[bank].row == no_row, refresh_from(), "refresh", bank, at);
  given(dram_command::refresh, 0, at);
  last_row_command_ = at;
}

void bank_timing::refreshed_in_idle_time(cycle_t at) {
  for (unsigned bank = 0; bank < banks_.size(); ++bank) at = std::max(at, precharge_from(bank));
  for (auto& b : banks_) b.row = no_row;
  given(dram_command::refresh, 0, at + t_.t_rp);
}

}  // namespace gt200::model
