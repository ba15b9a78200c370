#include "sc_models/partition/dram/bank_timing.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace gt200::model {

using tlm_bus::cycle_t;

bank_timing::bank_timing(const config::dram_config& config) : t_(config.timing), banks_(config.banks) {}

cycle_t bank_timing::bus_free(cycle_t at) const {
  if (at == last_row_command_) ++at;
  if (at < group_first_ || at >= group_end_) return at;
  if (t_.t_ccd == 1) return group_end_;
  return (at - group_first_) % t_.t_ccd == 0 ? at + 1 : at;
}

cycle_t bank_timing::refresh_from() const {
  cycle_t from = 0;
  for (const auto& b : banks_) from = std::max(from, b.activate_from);
  return from;
}

void bank_timing::check(bool state_fits, cycle_t legal_from, const char* command, unsigned bank, cycle_t at) const {
  if (!state_fits || at < legal_from || bus_free(at) != at)
    throw std::logic_error(std::string(command) + " of bank " + std::to_string(bank) +
                           " is illegal in memory cycle " + std::to_string(at));
}

void bank_timing::activate(unsigned bank, std::uint32_t row, cycle_t at) {
  bank_state& b = banks_[bank];
  check(b.row == no_row, activate_from(bank), "activate", bank, at);
  b.row = row;
  b.activate_from = at + t_.t_rc;
  b.precharge_from = at + t_.t_ras;
  b.read_from = at + t_.t_rcd_read;
  b.write_from = at + t_.t_rcd_write;
  activate_from_ = at + t_.t_rrd;
  activates_[oldest_activate_] = at + t_.t_faw;
  oldest_activate_ = (oldest_activate_ + 1) % activates_.size();
  last_row_command_ = at;
}

void bank_timing::precharge(unsigned bank, cycle_t at) {
  bank_state& b = banks_[bank];
  check(b.row != no_row, b.precharge_from, "precharge", bank, at);
  b.row = no_row;
  b.activate_from = std::max(b.activate_from, at + t_.t_rp);
  last_row_command_ = at;
}

cycle_t bank_timing::column_group(unsigned bursts, cycle_t at) {
  const cycle_t last = at + cycle_t{bursts - 1} * t_.t_ccd;
  group_first_ = at;
  group_end_ = last + 1;
  return last;
}

cycle_t bank_timing::read(unsigned bank, unsigned bursts, cycle_t at) {
  bank_state& b = banks_[bank];
  check(b.row != no_row && bursts != 0, read_from(bank), "read", bank, at);
  const cycle_t last = column_group(bursts, at);
  b.precharge_from = std::max(b.precharge_from, last + t_.t_ccd);  // the array is read for one burst
  read_from_ = last + t_.t_ccd;
  write_from_ = last + std::max(t_.t_ccd, t_.t_rtw);
  return last + t_.cl + t_.t_ccd;
}

cycle_t bank_timing::write(unsigned bank, unsigned bursts, cycle_t at) {
  bank_state& b = banks_[bank];
  check(b.row != no_row && bursts != 0, write_from(bank), "write", bank, at);
  const cycle_t last = column_group(bursts, at);
  const cycle_t data_end = last + t_.wl + t_.t_ccd;
  b.precharge_from = std::max(b.precharge_from, data_end + t_.t_wr);
  write_from_ = last + t_.t_ccd;
  read_from_ = data_end + t_.t_wtr;
  return data_end;
}

void bank_timing::refresh(cycle_t at) {
  const cycle_t from = refresh_from();
  for (unsigned bank = 0; bank < banks_.size(); ++bank)
    check(banks_[bank].row == no_row, from, "refresh", bank, at);
  for (auto& b : banks_) b.activate_from = at + t_.t_rfc;
  last_row_command_ = at;
}

void bank_timing::refreshed_in_idle_time(cycle_t at) {
  for (const auto& b : banks_) at = std::max(at, b.precharge_from);
  for (auto& b : banks_) {
    b.row = no_row;
    b.activate_from = std::max(b.activate_from, at + t_.t_rp + t_.t_rfc);
  }
}

}  // namespace gt200::model
