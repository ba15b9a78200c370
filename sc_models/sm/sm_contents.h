// What an SM holds, as observers of its contents see it (sm_probe.h).
#pragma once

#include <cstdint>

#include "sc_models/slots.h"

namespace gt200::model {

// How many there are of what an SM holds, for observers of its contents.
struct sm_sizes {
  unsigned warps = 0;
  unsigned blocks = 0;             // block slots
  unsigned registers = 0;          // $r that a thread may have
  unsigned predicates = 0;         // $c of a warp
  unsigned predicate_bits = 0;     // of one lane
  unsigned address_registers = 0;  // $a of a warp, from $a0 on
  unsigned address_register_bits = 0;
  unsigned shared_bytes = 0;  // of all blocks together
  unsigned shared_banks = 0;
  unsigned buffered = 0;            // instructions in the buffer of a warp
  unsigned scoreboard_entries = 0;  // of a warp; 0 if its mechanism has none
};

// What a block slot is doing.
struct block_slot_state {
  enum class phase : std::uint8_t { free, starting, running, drained };
  phase now = phase::free;
  std::uint16_t grid_id = 0;
  std::uint32_t block_id = 0;
  warp_mask warps = 0;      // that the block has
  unsigned unfinished = 0;  // of these, warps that have not exited and drained
};

constexpr const char* name_of(block_slot_state::phase phase) {
  switch (phase) {
    case block_slot_state::phase::free: return "free";
    case block_slot_state::phase::starting: return "starting";
    case block_slot_state::phase::running: return "running";
    case block_slot_state::phase::drained: return "drained";
  }
  return "";
}

}  // namespace gt200::model
