#include "sc_models/partition/dram/devices.h"

namespace gt200::model {

using tlm_bus::cycle_t;

dram_devices::dram_devices(const sc_core::sc_module_name& name, const config::dram_config& config)
    : sc_core::sc_module(name),
      pins("pins"),
      banks_(config.banks),
      timing_(config),
      storage_(config.capacity_bytes()) {
  pins.bind(*this);
}

void dram_devices::activate(unsigned bank, std::uint32_t row, cycle_t at) {
  timing_.activate(bank, row, at);
  ++activates;
  note(dram_command::activate, bank, row, 0, at);
}

void dram_devices::precharge(unsigned bank, cycle_t at) {
  note(dram_command::precharge, bank, timing_.open_row(bank), 0, at);
  timing_.precharge(bank, at);
  ++precharges;
}

cycle_t dram_devices::read(unsigned bank, unsigned bursts, cycle_t at) {
  reads += bursts;
  note(dram_command::read, bank, timing_.open_row(bank), bursts, at);
  return timing_.read(bank, bursts, at);
}

cycle_t dram_devices::write(unsigned bank, unsigned bursts, cycle_t at) {
  writes += bursts;
  note(dram_command::write, bank, timing_.open_row(bank), bursts, at);
  return timing_.write(bank, bursts, at);
}

void dram_devices::refresh(cycle_t at) {
  timing_.refresh(at);
  ++refreshes;
  note(dram_command::refresh, 0, 0, 0, at);
}

void dram_devices::refreshed_in_idle_time(unsigned count, cycle_t at) {
  timing_.refreshed_in_idle_time(at);
  refreshes += count;
}

void dram_devices::load(std::uint64_t offset, std::uint8_t* to, unsigned bytes) const {
  storage_.load(offset, to, bytes);
}

void dram_devices::store(std::uint64_t offset, const std::uint8_t* from, unsigned bytes,
                         const std::uint8_t* enables) {
  storage_.store(offset, from, bytes, enables);
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

void dram_devices::note(dram_command command, unsigned bank, std::uint32_t row, unsigned bursts, cycle_t at) {
  last_command_ = static_cast<std::uint8_t>(command) + 1;
  last_bank_ = static_cast<std::uint8_t>(bank);
  last_at_ = at;
  observers_.notify([&](dram_observer& o) { o.commanded(*this, command, bank, row, bursts); });
}

}  // namespace gt200::model
