// The transactions inside a processing block. Each is one call in the cycle of its sender (tlm_bus/transaction.h).
#pragma once

#include <cstdint>

#include "sc_models/slots.h"

namespace gt200::isa {
struct instruction;
}

namespace gt200::tlm_bus {
class signal_writer;
struct event_details;
}  // namespace gt200::tlm_bus

namespace gt200::model {

// Operand path -> control gate: an instruction that has set this dependency barrier has read its operands, or its
// results are written.
struct barrier_release {
  std::uint64_t id = 0;  // of the instruction
  warp_slot warp;
  std::uint8_t barrier = 0;  // SB0 ..
};
void show(tlm_bus::signal_writer& to, const barrier_release& release);
// Event details: warp, barrier.
void describe(tlm_bus::event_details& event, const barrier_release& release);

// Operand path -> control gate, where a scoreboard stands beside the codes: an instruction of varying time has read
// its operands, or its results are written.
struct operand_progress {
  std::uint64_t id = 0;  // of the instruction
  warp_slot warp;
  const isa::instruction* instruction = nullptr;
  bool written = false;  // else: read
};
void show(tlm_bus::signal_writer& to, const operand_progress& progress);
// Event details: warp, whether its results are written.
void describe(tlm_bus::event_details& event, const operand_progress& progress);

}  // namespace gt200::model
