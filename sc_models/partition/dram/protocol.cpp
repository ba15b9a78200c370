#include "sc_models/partition/dram/protocol.h"

#include <fmt/format.h>

#include <algorithm>

namespace gt200::model {
namespace {

constexpr const char* name_of(dram_command c) {
  constexpr std::array<const char*, dram_commands> names = {"activate", "precharge", "read", "write", "refresh"};
  return names[static_cast<std::size_t>(c)];
}

}  // namespace

// The first rule that a command breaks.
class dram_protocol::verdict {
 public:
  explicit verdict(const dram_transaction& c) : command_(c) {}

  // At least `cycles` since `before`, which was a `what`.
  void distance(const char* rule, const char* what, moment before, std::uint32_t cycles) {
    if (before == never || command_.at >= before + cycles || !text_.empty()) return;
    text_ = fmt::format("{} breaks {}: {} of {} cycles after the {} in memory cycle {}", this_command(), rule,
                        command_.at - before, cycles, what, before);
  }
  void require(bool holds, const char* why) {
    if (!holds && text_.empty()) text_ = fmt::format("{}: {}", this_command(), why);
  }
  std::string text() && { return std::move(text_); }

 private:
  std::string this_command() const {
    const std::string at = fmt::format(" in memory cycle {}", command_.at);
    return command_.command == dram_command::refresh
               ? "refresh" + at
               : fmt::format("{} of bank {}", name_of(command_.command), command_.bank) + at;
  }

  const dram_transaction& command_;
  std::string text_;
};

void dram_protocol::judge_activate(verdict& is, const dram_transaction& c) {
  const bank_history& bank = banks_[c.bank];
  is.require(!bank.open, "the bank has an open row");
  is.distance("t_rc", "activate of the bank", bank.activated, t_.t_rc);
  is.distance("t_rp", "precharge of the bank", bank.precharged, t_.t_rp);
  is.distance("t_rrd", "last activate", activates_[(next_activate_ + 3) % 4], t_.t_rrd);
  is.distance("t_faw", "activate before the last three", activates_[next_activate_], t_.t_faw);
  is.distance("t_rfc", "refresh", refreshed_, t_.t_rfc);
}

void dram_protocol::judge_precharge(verdict& is, const dram_transaction& c) const {
  const bank_history& bank = banks_[c.bank];
  is.require(bank.open, "the bank has no open row");
  is.distance("t_ras", "activate of the bank", bank.activated, t_.t_ras);
  is.distance("t_ccd (the array is read)", "read of the bank", bank.read, t_.t_ccd);
  is.distance("t_wr behind the data", "write of the bank", bank.written, t_.wl + t_.t_ccd + t_.t_wr);
}

void dram_protocol::judge_columns(verdict& is, const dram_transaction& c) const {
  const bank_history& bank = banks_[c.bank];
  const bool reads = c.command == dram_command::read;
  is.require(bank.open, "the bank has no open row");
  is.require(c.bursts != 0, "no burst");
  is.distance(reads ? "t_rcd_read" : "t_rcd_write", "activate of the bank", bank.activated,
              reads ? t_.t_rcd_read : t_.t_rcd_write);
  is.distance("t_ccd", reads ? "read" : "write", reads ? read_ : written_, t_.t_ccd);
  if (reads) {
    is.distance("t_wtr behind the data", "write", written_, t_.wl + t_.t_ccd + t_.t_wtr);
  } else {
    is.distance("t_rtw", "read", read_, t_.t_rtw);
    is.distance("t_ccd", "read", read_, t_.t_ccd);
  }
}

void dram_protocol::judge_refresh(verdict& is, const dram_transaction&) const {
  is.require(std::none_of(banks_.begin(), banks_.end(), [](const bank_history& b) { return b.open; }),
             "a bank has an open row");
  is.distance("t_rp", "precharge", precharged_, t_.t_rp);
  is.distance("t_rc", "last activate", activates_[(next_activate_ + 3) % 4], t_.t_rc);
  is.distance("t_rfc", "refresh", refreshed_, t_.t_rfc);
}

void dram_protocol::note(const dram_transaction& c) {
  bank_history& bank = banks_[c.bank];
  const moment last_burst = c.at + moment{c.bursts - 1} * t_.t_ccd;
  switch (c.command) {
    case dram_command::activate:
      bank.open = true;
      bank.activated = activates_[next_activate_] = c.at;
      next_activate_ = (next_activate_ + 1) % 4;
      break;
    case dram_command::precharge:
      bank.open = false;
      bank.precharged = precharged_ = c.at;
      break;
    case dram_command::read: bank.read = read_ = last_burst; break;
    case dram_command::write: bank.written = written_ = last_burst; break;
    case dram_command::refresh: refreshed_ = c.at; break;
  }
  if (c.command != dram_command::read && c.command != dram_command::write) {
    row_command_ = c.at;
    return;
  }
  columns_begin_ = c.at;
  columns_end_ = last_burst;
}

// In idle time the controller closes all rows as soon as each may be, and refreshes t_rp later.
void dram_protocol::note_idle_refresh(moment at) {
  const auto not_before = [&at](moment event, std::uint32_t cycles) {
    if (event != never) at = std::max(at, event + cycles);
  };
  for (bank_history& bank : banks_) {
    not_before(bank.activated, t_.t_ras);
    not_before(bank.read, t_.t_ccd);
    not_before(bank.written, t_.wl + t_.t_ccd + t_.t_wr);
    bank.open = false;
  }
  refreshed_ = at + t_.t_rp;
}

std::string dram_protocol::judge(const dram_transaction& c) {
  if (c.idle_refreshes != 0) {
    note_idle_refresh(c.at);
    return "";
  }
  verdict is(c);
  const bool in_group = columns_begin_ != never && c.at >= columns_begin_ && c.at <= columns_end_;
  is.require(c.at != row_command_ && !(in_group && (c.at - columns_begin_) % t_.t_ccd == 0),
             "another command is on the bus");
  switch (c.command) {
    case dram_command::activate: judge_activate(is, c); break;
    case dram_command::precharge: judge_precharge(is, c); break;
    case dram_command::read:
    case dram_command::write: judge_columns(is, c); break;
    case dram_command::refresh: judge_refresh(is, c); break;
  }
  std::string broken = std::move(is).text();
  if (broken.empty()) note(c);  // what is refused has not happened
  return broken;
}

}  // namespace gt200::model
