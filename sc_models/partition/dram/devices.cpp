#include "sc_models/partition/dram/devices.h"

namespace gt200::model {

using tlm_bus::cycle_t;

dram_devices::dram_devices(const sc_core::sc_module_name& name, const config::dram_config& config)
    : sc_core::sc_module(name), pins("pins"), timing_(config), storage_(config.capacity_bytes()) {
  pins.bind(*this);
}

void dram_devices::activate(unsigned bank, std::uint32_t row, cycle_t at) {
  timing_.activate(bank, row, at);
  ++activates;
}

void dram_devices::precharge(unsigned bank, cycle_t at) {
  timing_.precharge(bank, at);
  ++precharges;
}

cycle_t dram_devices::read(unsigned bank, unsigned bursts, cycle_t at) {
  reads += bursts;
  return timing_.read(bank, bursts, at);
}

cycle_t dram_devices::write(unsigned bank, unsigned bursts, cycle_t at) {
  writes += bursts;
  return timing_.write(bank, bursts, at);
}

void dram_devices::refresh(cycle_t at) {
  timing_.refresh(at);
  ++refreshes;
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

}  // namespace gt200::model
