#include "sc_models/partition/dram/devices.h"

#include <stdexcept>
#include <string>

#include "sc_models/partition/dram/payload_access.h"
#include "tlm_bus/state_image.h"

namespace gt200::model {

using tlm_bus::cycle_t;

dram_devices::dram_devices(const sc_core::sc_module_name& name, const config::dram_config& config)
    : sc_core::sc_module(name),
      commands("commands", *this),
      state("state"),
      banks_(config.banks),
      map_(config),
      timing_(config),
      protocol_(config),
      storage_(config.capacity_bytes()) {
  state.bind(*this);
}

void dram_devices::transport(dram_transaction& c) {
  if (const std::string broken = protocol_.judge(c); !broken.empty())
    throw std::logic_error(std::string(name()) + ": " + broken);
  if (c.command != dram_command::activate)
    c.row = c.command == dram_command::refresh ? 0 : timing_.open_row(c.bank);
  switch (c.command) {
    case dram_command::activate:
      timing_.activate(c.bank, c.row, c.at);
      ++activates;
      break;
    case dram_command::precharge:
      timing_.precharge(c.bank, c.at);
      ++precharges;
      break;
    case dram_command::read:
      c.data_end = timing_.read(c.bank, c.bursts, c.at);
      reads += c.bursts;
      move(c);
      break;
    case dram_command::write:
      c.data_end = timing_.write(c.bank, c.bursts, c.at);
      writes += c.bursts;
      move(c);
      break;
    case dram_command::refresh: refresh(c); break;
  }
  if (c.idle_refreshes != 0) return;
  last_command_ = static_cast<std::uint8_t>(c.command) + 1;
  last_bank_ = static_cast<std::uint8_t>(c.bank);
  last_at_ = c.at;
}

void dram_devices::refresh(const dram_transaction& c) {
  if (c.idle_refreshes == 0) {
    timing_.refresh(c.at);
    ++refreshes;
  } else {
    timing_.refreshed_in_idle_time(c.at);
    refreshes += c.idle_refreshes;
  }
}

void dram_devices::move(const dram_transaction& c) {
  move_data(storage_, c.command == dram_command::write, map_.offset_of({c.bank, c.row, c.column}), c.data, c.bytes,
            c.enables, c.enable_bytes);
}

unsigned dram_devices::transport_debug(dram_transaction& access) {
  move(access);
  return access.bytes;
}

void dram_devices::publish(tlm_bus::signal_writer& to) {
  to.text("command", last_command_, [](std::uint64_t key) -> std::string {
    static constexpr std::array<const char*, dram_commands + 1> names = {"",     "activate", "precharge",
                                                                         "read", "write",    "refresh"};
    return names[key];
  });
  to.number("command_bank", 6, last_bank_);
  to.number("command_at", 64, last_at_);
  for (unsigned bank = 0; bank < banks_; ++bank) {
    to.enter("bank", bank);
    const bool open = timing_.open_row(bank) != bank_timing::no_row;
    to.flag("open", open);
    to.number("row", 32, open ? timing_.open_row(bank) : 0);
    to.leave();
  }
}

void dram_devices::visit_state(tlm_bus::state_image& image) {
  image.fixed(banks_, map_, storage_);  // memory keeps its contents
  image(timing_, protocol_, last_command_, last_bank_, last_at_);
}

}  // namespace gt200::model
