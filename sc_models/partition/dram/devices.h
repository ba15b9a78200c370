// The GDDR3 devices of a partition: bank state and contents. They answer the controller's commands and refuse, as a
// broken invariant, any that violates the timing.
//
// No clock of their own: they follow the command bus, which the controller drives.
#pragma once

#include <systemc>

#include "sc_models/config/dram_config.h"
#include "sc_models/partition/dram/devices_if.h"
#include "sc_models/partition/dram/storage.h"
#include "tlm_bus/counter.h"

namespace gt200::model {

class dram_devices : public sc_core::sc_module, private dram_devices_if {
 public:
  sc_core::sc_export<dram_devices_if> pins;

  dram_devices(const sc_core::sc_module_name& name, const config::dram_config& config);

  tlm_bus::counter activates{"activates", "commands", "rows opened"};
  tlm_bus::counter precharges{"precharges", "commands", "rows closed"};
  tlm_bus::counter reads{"reads", "commands", "bursts read"};
  tlm_bus::counter writes{"writes", "commands", "bursts written"};
  tlm_bus::counter refreshes{"refreshes", "commands", "refreshes of all banks"};

  const char* kind() const override { return "dram_devices"; }

 private:
  // dram_devices_if
  const bank_timing& timing() const override { return timing_; }
  void activate(unsigned bank, std::uint32_t row, tlm_bus::cycle_t at) override;
  void precharge(unsigned bank, tlm_bus::cycle_t at) override;
  tlm_bus::cycle_t read(unsigned bank, unsigned bursts, tlm_bus::cycle_t at) override;
  tlm_bus::cycle_t write(unsigned bank, unsigned bursts, tlm_bus::cycle_t at) override;
  void refresh(tlm_bus::cycle_t at) override;
  void refreshed_in_idle_time(unsigned count, tlm_bus::cycle_t at) override;
  void load(std::uint64_t offset, std::uint8_t* to, unsigned bytes) const override;
  void store(std::uint64_t offset, const std::uint8_t* from, unsigned bytes, const std::uint8_t* enables) override;

  bank_timing timing_;
  dram_storage storage_;
};

}  // namespace gt200::model
