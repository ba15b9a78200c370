// The transactions that change the instruction buffer. Each is one call in the cycle of its sender
// (tlm_bus/transaction.h) and is visible to fetch and issue at the next edge.
#pragma once

#include <cstdint>

#include "sc_models/sm/buffered_instruction.h"

namespace gt200::model {

// Fetch -> instruction buffer: slots for the instructions of one fetch.
struct buffer_reservation {
  warp_slot warp;
  std::uint8_t entries = 0;  // 1 or 2
};
void show(tlm_bus::signal_writer& to, const buffer_reservation& reservation);
// Event details: warp, slots.
void describe(tlm_bus::event_details& event, const buffer_reservation& reservation);

// Decode -> instruction buffer: fills a reserved slot, or gives reserved slots back.
struct buffer_write {
  enum class command : std::uint8_t {
    enter,  // fills a slot with `instruction`
    cancel  // the fetched instructions were void
  };
  command what = command::enter;
  warp_slot warp;
  std::uint8_t entries = 1;  // slots
  buffered_instruction instruction;
};
void show(tlm_bus::signal_writer& to, const buffer_write& write);
// Event details: warp, slots, whether they are given back, pc, dependencies.
void describe(tlm_bus::event_details& event, const buffer_write& write);

// Issue -> instruction buffer: the oldest instruction of the warp leaves.
struct buffer_removal {
  std::uint64_t id = 0;  // of the instruction
  warp_slot warp;
};
void show(tlm_bus::signal_writer& to, const buffer_removal& removal);
// Event details: warp.
void describe(tlm_bus::event_details& event, const buffer_removal& removal);

// Scoreboard -> instruction buffer: dependencies of buffered instructions.
struct dependency_update {
  enum class command : std::uint8_t {
    clear,  // in all instructions of the warp, including those that enter in this cycle
    set     // replaces those of one instruction, which has been looked up again
  };
  command what = command::clear;
  warp_slot warp;
  std::uint8_t position = 0;       // set: counts the warp's instructions from the oldest on
  std::uint64_t dependencies = 0;  // clear: those that no longer hold; set: the new vector
};
void show(tlm_bus::signal_writer& to, const dependency_update& update);
// Event details: warp, dependencies, whether they replace others, position.
void describe(tlm_bus::event_details& event, const dependency_update& update);

}  // namespace gt200::model
