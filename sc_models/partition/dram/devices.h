// The GDDR3 devices of a partition: bank state and contents. They execute the controller's commands. A command that
// violates the timing by the rules of protocol.h ends the simulation; its text names the rule, bank, commands,
// cycles.
//
// They have no clock of their own: they follow the command bus, which the controller drives.
#pragma once

#include <systemc>

#include "sc_models/config/dram_config.h"
#include "sc_models/partition/dram/address.h"
#include "sc_models/partition/dram/commands.h"
#include "sc_models/partition/dram/devices_if.h"
#include "sc_models/partition/dram/dram_bits.h"
#include "sc_models/partition/dram/protocol.h"
#include "sc_models/partition/dram/storage.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/resettable.h"
#include "tlm_bus/signals.h"
#include "tlm_bus/transaction.h"

namespace gt200::model {

class dram_devices : public sc_core::sc_module,
                     public tlm_bus::signal_source,
                     public dram_bits,
                     private dram_devices_if,
                     private tlm_bus::transaction_target<dram_transaction>,
                     public tlm_bus::resettable {
 public:
  // Debug access: a read or write of one row, open or not.
  tlm_bus::transaction_in<dram_transaction> commands;
  sc_core::sc_export<dram_devices_if> state;

  dram_devices(const sc_core::sc_module_name& name, const config::dram_config& config);

  void publish(tlm_bus::signal_writer& to) override;

  tlm_bus::counter activates{"activates", "commands", "rows opened"};
  tlm_bus::counter precharges{"precharges", "commands", "rows closed"};
  tlm_bus::counter reads{"reads", "commands", "bursts read"};
  tlm_bus::counter writes{"writes", "commands", "bursts written"};
  tlm_bus::counter refreshes{"refreshes", "commands", "refreshes of all banks"};

  void visit_state(tlm_bus::state_image& image) override;
  const char* kind() const override { return "dram_devices"; }

 private:
  const bank_timing& timing() const override { return timing_; }
  void transport(dram_transaction& command) override;
  unsigned transport_debug(dram_transaction& access) override;
  dram_storage& stored() override { return storage_; }

  void refresh(const dram_transaction& command);
  // Moves the data of a column command.
  void move(const dram_transaction& command);

  unsigned banks_;
  dram_address_map map_;
  bank_timing timing_;
  dram_protocol protocol_;
  dram_storage storage_;
  // The last command: 0 = none yet, else dram_command + 1.
  std::uint8_t last_command_ = 0;
  std::uint8_t last_bank_ = 0;
  tlm_bus::cycle_t last_at_ = 0;
};

}  // namespace gt200::model
