// The GDDR3 devices of a partition: bank state and contents. They execute the controller's commands. A command that
// violates the timing breaks an invariant and is refused.
//
// They have no clock of their own: they follow the command bus, which the controller drives.
#pragma once

#include <systemc>

#include "sc_models/config/dram_config.h"
#include "sc_models/partition/dram/devices_if.h"
#include "sc_models/partition/dram/storage.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/signals.h"
#include "tlm_bus/tap.h"

namespace gt200::model {

// Is notified of every command in the cycle of the memory clock in which it is given. Attached from outside.
class dram_observer {
 public:
  virtual ~dram_observer() = default;
  // For a refresh, which affects all banks, `bank` is 0. `row` is the row of the bank. `bursts` is the number of
  // bursts of a column command, else 0.
  virtual void commanded(const sc_core::sc_object& devices, dram_command command, unsigned bank, std::uint32_t row,
                         unsigned bursts) = 0;
};

class dram_devices : public sc_core::sc_module, public tlm_bus::signal_source, private dram_devices_if {
 public:
  sc_core::sc_export<dram_devices_if> pins;

  dram_devices(const sc_core::sc_module_name& name, const config::dram_config& config);

  tlm_bus::tap<dram_observer>& observers() { return observers_; }
  void publish(tlm_bus::signal_writer& to) override;

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

  void note(dram_command command, unsigned bank, std::uint32_t row, unsigned bursts, tlm_bus::cycle_t at);

  unsigned banks_;
  bank_timing timing_;
  dram_storage storage_;
  // The last command: 0 = none yet, else dram_command + 1.
  std::uint8_t last_command_ = 0;
  std::uint8_t last_bank_ = 0;
  tlm_bus::cycle_t last_at_ = 0;
  tlm_bus::tap<dram_observer> observers_;
};

}  // namespace gt200::model
