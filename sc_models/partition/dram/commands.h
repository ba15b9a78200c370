// The command bus between GDDR3 controller and devices: one command with the data that follows from it. It is a
// transaction, answered in its cycle (tlm_bus/transaction.h); data moves in the order of the commands.
#pragma once

#include <cstdint>

#include "sc_models/partition/dram/timing_table.h"
#include "tlm_bus/time.h"

namespace gt200::tlm_bus {
class signal_writer;
struct event_details;
}  // namespace gt200::tlm_bus

namespace gt200::model {

struct dram_transaction {
  dram_command command = dram_command::activate;
  unsigned bank = 0;            // 0 for a refresh, which affects all banks
  std::uint32_t row = 0;        // activate, debug access: input; else the answer: the row that was open
  tlm_bus::cycle_t at = 0;      // the present cycle of the memory clock
  unsigned idle_refreshes = 0;  // refresh: so many were given while the controller had no requests, the last was
                                // due at `at`; 0 = one is given now

  // Of read and write: `bursts` column commands, one every t_ccd cycles, and `bytes` of the row from `column` on.
  unsigned bursts = 0;
  std::uint32_t column = 0;
  unsigned bytes = 0;
  std::uint8_t* data = nullptr;
  // One byte for each byte of data, 0 = not moved; the pattern repeats after `enable_bytes`. Null: all are moved.
  const std::uint8_t* enables = nullptr;
  unsigned enable_bytes = 0;

  tlm_bus::cycle_t data_end = 0;  // the answer to read and write: the cycle after the last data cycle
};
void show(tlm_bus::signal_writer& to, const dram_transaction& t);
// Event details: command, bank, row, bursts, column, idle_refreshes.
void describe(tlm_bus::event_details& event, const dram_transaction& t);

}  // namespace gt200::model
