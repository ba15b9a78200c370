// The tokens that cross borders of SM and TPC. Tokens inside the SM are in sm/stage_tokens.h.
#pragma once

#include <cstdint>

#include "sc_models/grid_descriptor.h"
#include "sc_models/warp_instruction.h"

namespace gt200::model {

// Work distributor -> TPC -> SM: start this block.
struct launch_token {
  const grid_descriptor* grid = nullptr;
  std::uint32_t block_id = 0;  // (z * grid.y + y) * grid.x + x
  std::uint16_t block_x = 0;
  std::uint16_t block_y = 0;
  std::uint8_t sm = 0;  // within the TPC
};
void show(tlm_bus::signal_writer& to, const launch_token& token);
// Event details: SM of the TPC, block, grid.
void describe(tlm_bus::event_details& event, const launch_token& token);

// SM -> TPC -> work distributor: the block has ended (all lanes have exited, all its stores are acknowledged or,
// where these are posted, sent), or it has faulted.
struct retire_token {
  enum class stores : std::uint8_t {
    acknowledged,  // all of them, when the block ends
    under_way,     // some of them, when the block ends: another token will follow
    settled        // that token: the block has ended before, and now they are acknowledged
  };
  const grid_descriptor* grid = nullptr;
  std::uint32_t block_id = 0;
  std::uint8_t sm = 0;
  bool faulted = false;  // details are with the SM's fault record
  stores its_stores = stores::acknowledged;
};
void show(tlm_bus::signal_writer& to, const retire_token& token);
// Event details: SM of the TPC, block, 1 if it faulted.
void describe(tlm_bus::event_details& event, const retire_token& token);

// Partition -> texture invalidation -> L1 texture caches: texture caches may hold what was written.
struct texture_write_token {
  std::uint64_t address = 0;  // of the access, in device memory
};
void show(tlm_bus::signal_writer& to, const texture_write_token& token);
// Event details: address.
void describe(tlm_bus::event_details& event, const texture_write_token& token);

// SM memory port -> SM controller: a warp-wide access to global, local or texture memory.
struct memory_operation_token {
  warp_instruction* operation = nullptr;
};
void show(tlm_bus::signal_writer& to, const memory_operation_token& token);
void describe(tlm_bus::event_details& event, const memory_operation_token& token);
void show_values(tlm_bus::signal_writer& to, const memory_operation_token& token);

// TPC memory or texture path -> SM write-back: all lanes have their data (loads, atomics, textures; in
// values.destination), or the ROP has acknowledged every store. `sent`: of a posted store, before that: its last
// transaction has left; the operation stays with the memory path.
struct memory_completion_token {
  warp_instruction* operation = nullptr;
  bool sent = false;
};
void show(tlm_bus::signal_writer& to, const memory_completion_token& token);
void describe(tlm_bus::event_details& event, const memory_completion_token& token);
void show_values(tlm_bus::signal_writer& to, const memory_completion_token& token);

}  // namespace gt200::model
