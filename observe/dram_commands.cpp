#include "observe/dram_commands.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>

#include "sc_models/partition/dram/devices.h"
#include "toolchain/error.h"
#include "toolchain/output_file.h"

namespace gt200::observe {
namespace {

using model::dram_command;
using model::dram_transaction;
using tlm_bus::cycle_t;

std::string ending_of(const std::string& file) {
  const std::size_t dot = file.rfind('.');
  return dot == std::string::npos || file.find('/', dot) != std::string::npos ? "" : file.substr(dot);
}

model::dram_devices* devices_below(const sc_core::sc_object& object) {
  for (sc_core::sc_object* child : object.get_child_objects()) {
    if (auto* const found = dynamic_cast<model::dram_devices*>(child)) return found;
    if (model::dram_devices* const found = devices_below(*child)) return found;
  }
  return nullptr;
}

// One command, on one line.
struct form {
  const char* ending;
  void (*write)(std::ostream& to, dram_command command, cycle_t at, unsigned bank, std::uint32_t row,
                std::uint32_t column);
  void (*end)(std::ostream& to, cycle_t at);
};

constexpr std::array<const char*, model::dram_commands> short_names = {"ACT", "PRE", "RD", "WR", "REF"};
const char* short_name(dram_command c) { return short_names[static_cast<std::size_t>(c)]; }

void write_cmdtrace(std::ostream& to, dram_command c, cycle_t at, unsigned bank, std::uint32_t, std::uint32_t) {
  fmt::print(to, "{},{}", at, short_name(c));
  if (c != dram_command::refresh) fmt::print(to, ",{}", bank);
  to << '\n';
}
void write_csv(std::ostream& to, dram_command c, cycle_t at, unsigned bank, std::uint32_t row,
               std::uint32_t column) {
  fmt::print(to, "{},{},0,0,{},{},{}\n", at, c == dram_command::refresh ? "REFA" : short_name(c), bank, row,
             column);
}
void write_dramsim(std::ostream& to, dram_command c, cycle_t at, unsigned bank, std::uint32_t row,
                   std::uint32_t column) {
  switch (c) {
    case dram_command::activate: fmt::print(to, "{}: activate (0,{},{});\n", at, bank, row); break;
    case dram_command::precharge: fmt::print(to, "{}: precharge (0,{},{});\n", at, bank, row); break;
    case dram_command::read: fmt::print(to, "{}: read (0,{},{},0);\n", at, bank, column); break;
    case dram_command::write: fmt::print(to, "{}: write (0,{},{},0 , 0, 'h0);\n", at, bank, column); break;
    case dram_command::refresh: fmt::print(to, "{}: refresh (0);\n", at); break;
  }
}
void end_csv(std::ostream& to, cycle_t at) { fmt::print(to, "{},END,0,0,0,0,0\n", at); }
void end_silently(std::ostream&, cycle_t) {}

constexpr std::array<form, 3> forms = {{{".cmdtrace", write_cmdtrace, end_silently},
                                        {".csv", write_csv, end_csv},
                                        {".dramsim", write_dramsim, end_silently}}};

const form* form_of(const std::string& file) {
  const std::string ending = ending_of(file);
  const auto found = std::find_if(forms.begin(), forms.end(), [&](const form& f) { return ending == f.ending; });
  return found == forms.end() ? nullptr : &*found;
}

}  // namespace

std::string refusal_of_dram_trace(const std::string& file) {
  return form_of(file) != nullptr ? "" : "'" + file + "' ends in none of .cmdtrace, .csv and .dramsim";
}

std::string file_of_partition(const std::string& file, unsigned partition) {
  const std::string ending = ending_of(file);
  return fmt::format("{}.partition_{}{}", file.substr(0, file.size() - ending.size()), partition, ending);
}

// The commands of one partition.
class dram_commands::writer final : public tlm_bus::transaction_observer<dram_transaction> {
 public:
  writer(model::dram_devices& devices, const config::dram_config& config, const form& how, const std::string& file)
      : devices_(devices), config_(config), how_(how), rows_(config.banks, closed), file_(file) {
    devices_.commands.observers().attach(*this);
  }
  ~writer() override { devices_.commands.observers().detach(*this); }

  void transported(const sc_core::sc_object&, tlm_bus::femtoseconds, const dram_transaction& c) override {
    if (c.idle_refreshes != 0) return refreshed_in_idle_time(c);
    if (c.command == dram_command::read || c.command == dram_command::write) return columns(c);
    write(c.command, c.at, c.bank, c.row, 0);
    if (c.command == dram_command::activate) {
      rows_[c.bank] = c.row;
      may_close_ = std::max(may_close_, c.at + config_.timing.t_ras);
    } else if (c.command == dram_command::precharge) {
      rows_[c.bank] = closed;
    }
  }
  void close() {
    how_.end(file_.stream(), last_ + 1);
    file_.close();
  }

 private:
  static constexpr std::uint32_t closed = ~std::uint32_t{0};

  void write(dram_command command, cycle_t at, unsigned bank, std::uint32_t row, std::uint32_t column) {
    how_.write(file_.stream(), command, at, bank, row, column);
    last_ = at;
  }
  void columns(const dram_transaction& c) {
    const config::dram_timing_config& t = config_.timing;
    for (unsigned burst = 0; burst < c.bursts; ++burst)
      write(c.command, c.at + cycle_t{burst} * t.t_ccd, c.bank, rows_[c.bank],
            c.column / config_.burst_bytes + burst);
    const cycle_t until = c.command == dram_command::write ? t.wl + t.t_ccd + t.t_wr : t.t_ccd;
    may_close_ = std::max(may_close_, last_ + until);
  }
  // Rows are closed for the first of the refreshes, as soon as they may be once it is due.
  void refreshed_in_idle_time(const dram_transaction& c) {
    const config::dram_timing_config& t = config_.timing;
    cycle_t at = std::max(c.at - cycle_t{c.idle_refreshes - 1} * t.t_refi, may_close_);
    for (unsigned bank = 0; bank < rows_.size(); ++bank) {
      if (rows_[bank] == closed) continue;
      write(dram_command::precharge, at++, bank, rows_[bank], 0);
      rows_[bank] = closed;
    }
    at = std::max(at + t.t_rp, last_ + t.t_rp);
    for (unsigned k = 0; k < c.idle_refreshes; ++k)
      write(dram_command::refresh, at + cycle_t{k} * t.t_refi, 0, 0, 0);
  }

  model::dram_devices& devices_;
  const config::dram_config& config_;
  const form& how_;
  std::vector<std::uint32_t> rows_;  // that are open, by bank
  cycle_t may_close_ = 0;            // from when on every open row may be closed
  cycle_t last_ = 0;                 // command
  growing_file file_;
};

dram_commands::dram_commands(device& target, const std::string& file) {
  if (const std::string why = refusal_of_dram_trace(file); !why.empty()) throw input_error(why);
  const model::chip& chip = target.chip();
  for (unsigned p = 0; p < chip.config.chip.partitions; ++p) {
    const sc_core::sc_object* const partition =
        sc_core::sc_find_object(fmt::format("{}.partition_{}", chip.name(), p).c_str());
    model::dram_devices* const devices = partition == nullptr ? nullptr : devices_below(*partition);
    if (devices == nullptr)
      throw input_error(fmt::format("the DRAM of partition_{} gets no commands (partition.dram.model)", p));
    writers_.push_back(
        std::make_unique<writer>(*devices, chip.config.partition.dram, *form_of(file), file_of_partition(file, p)));
  }
}

dram_commands::~dram_commands() = default;

void dram_commands::close() {
  for (const auto& w : writers_) w->close();
}

}  // namespace gt200::observe
