// The transactions between the operand collector and the constant cache. Each is one call in the cycle of its
// sender (tlm_bus/transaction.h).
#pragma once

#include <cstdint>

#include "toolchain/isa/common/instruction.h"

namespace gt200::tlm_bus {
class signal_writer;
struct event_details;
}  // namespace gt200::tlm_bus

namespace gt200::model {

// Operand collector -> constant cache: reads a word of a line that is present. The line becomes the most recently
// used one.
struct constant_read {
  std::uint64_t id = 0;  // of the instruction
  std::uint64_t address = 0;
  isa::data_type type = isa::data_type::b32;  // narrow types are extended to 32 bits
  std::uint32_t data = 0;                     // the answer
};
void show(tlm_bus::signal_writer& to, const constant_read& read);
// Event details: address, data.
void describe(tlm_bus::event_details& event, const constant_read& read);

// Operand collector -> constant cache: the line of this address is absent. It is fetched unless it is in flight.
struct constant_line_fetch {
  std::uint64_t id = 0;
  std::uint64_t address = 0;

  // The answer. Neither: the line is on its way already.
  bool started = false;
  bool refused = false;  // no MSHR is free
};
inline bool has_effect(const constant_line_fetch& fetch) { return fetch.started; }
void show(tlm_bus::signal_writer& to, const constant_line_fetch& fetch);
// Event details: address.
void describe(tlm_bus::event_details& event, const constant_line_fetch& fetch);

}  // namespace gt200::model
