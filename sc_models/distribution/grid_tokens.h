// The tokens between command processor and work distributor.
#pragma once

#include <cstdint>

#include "sc_models/grid_descriptor.h"

namespace gt200::tlm_bus {
class signal_writer;
struct event_details;
}  // namespace gt200::tlm_bus

namespace gt200::model {

// Command processor -> work distributor: distribute the blocks of this grid.
struct grid_token {
  const grid_descriptor* grid = nullptr;
};
void show(tlm_bus::signal_writer& to, const grid_token& token);
// Event details: grid, blocks.
void describe(tlm_bus::event_details& event, const grid_token& token);

// Work distributor -> command processor: every block has retired, or one has faulted.
struct grid_end_token {
  const grid_descriptor* grid = nullptr;
  bool faulted = false;
  std::uint32_t block_id = 0;  // of the first block that faulted
  std::uint8_t tpc = 0;        // where it ran
  std::uint8_t sm = 0;         // within the TPC
};
void show(tlm_bus::signal_writer& to, const grid_end_token& token);
// Event details: 1 if it faulted.
void describe(tlm_bus::event_details& event, const grid_end_token& token);

}  // namespace gt200::model
