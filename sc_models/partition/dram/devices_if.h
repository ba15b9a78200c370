// What the controller asks of the GDDR3 devices: earliest legal cycles of commands, and open rows. The devices
// implement it; commands go over a socket (commands.h).
#pragma once

#include "sc_models/partition/dram/bank_timing.h"
#include "tlm_bus/port.h"

namespace gt200::model {

class dram_devices_if : public tlm_bus::question_if {
 public:
  virtual const bank_timing& timing() const = 0;
};

}  // namespace gt200::model
