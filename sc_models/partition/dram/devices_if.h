// The pins of the GDDR3 devices as the controller sees them: legal times of commands, commands, and data.
#pragma once

#include <cstdint>
#include <systemc>

#include "sc_models/partition/dram/bank_timing.h"

namespace gt200::model {

class dram_devices_if : public virtual sc_core::sc_interface {
 public:
  // Questions: earliest legal cycles and open rows.
  virtual const bank_timing& timing() const = 0;
  // Commands. Only the controller gives them, and `at` is its current cycle. read() and write() give `bursts`
  // column commands, one every t_ccd cycles. They return the cycle after the last data cycle.
  virtual void activate(unsigned bank, std::uint32_t row, tlm_bus::cycle_t at) = 0;
  virtual void precharge(unsigned bank, tlm_bus::cycle_t at) = 0;
  virtual tlm_bus::cycle_t read(unsigned bank, unsigned bursts, tlm_bus::cycle_t at) = 0;
  virtual tlm_bus::cycle_t write(unsigned bank, unsigned bursts, tlm_bus::cycle_t at) = 0;
  virtual void refresh(tlm_bus::cycle_t at) = 0;
  // Refreshes that the controller gave while it had no requests. The last one was due at `at`.
  virtual void refreshed_in_idle_time(unsigned count, tlm_bus::cycle_t at) = 0;
  // Move the data of the column commands. The controller calls them in the order of the commands. Debug accesses
  // use them too. `offset` is the address within the partition.
  virtual void load(std::uint64_t offset, std::uint8_t* to, unsigned bytes) const = 0;
  virtual void store(std::uint64_t offset, const std::uint8_t* from, unsigned bytes,
                     const std::uint8_t* enables) = 0;
};

}  // namespace gt200::model
