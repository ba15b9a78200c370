// The transactions with which values pass through the execution units: calls in the cycle of their sender
// (tlm_bus/transaction.h).
#pragma once

#include <array>
#include <cstdint>

#include "sc_models/slots.h"
#include "toolchain/isa/common/lane_bundle.h"

namespace gt200::tlm_bus {
class signal_writer;
struct event_details;
}  // namespace gt200::tlm_bus

namespace gt200::model {

// Group of units -> its datapath: a whole warp instruction. Detail `warp`.
struct warp_operation {
  std::uint64_t id = 0;  // of the instruction
  const isa::instruction* instruction = nullptr;
  warp_slot warp;
  isa::lane_mask executed = 0;         // the other lanes pass without a result
  isa::lane_bundle* values = nullptr;  // operands; the answer is in its destinations
};
void show(tlm_bus::signal_writer& to, const warp_operation& operation);
// By lane: predicate, first word of each source and of the result, flags of the result.
void show_values(tlm_bus::signal_writer& to, const warp_operation& operation);
// Event details: warp, executed lanes.
void describe(tlm_bus::event_details& event, const warp_operation& operation);

// Group of units -> one unit: one lane. Detail `lane`.
struct lane_operation {
  std::uint64_t id = 0;
  const isa::instruction* instruction = nullptr;
  isa::code_address pc = 0;
  warp_slot warp;
  std::uint8_t lane = 0;
  std::uint8_t beat = 0;                                 // of the instruction
  std::uint8_t result = 0;                               // number of the group's result port
  bool predicate = false;                                // false: the lane passes without a result
  std::array<std::array<std::uint32_t, 4>, 3> source{};  // as isa::lane_bundle::source
  std::uint8_t flags_in = 0;
  std::uint16_t address_in = 0;
  std::array<std::uint8_t, 3> predicate_in{};
  // For an instruction that crosses lanes: the operands of the whole warp, from the network between the units, and
  // the lanes that execute it. Valid during the call.
  const isa::lane_bundle* exchange = nullptr;
  isa::lane_mask executed = 0;
};
void show(tlm_bus::signal_writer& to, const lane_operation& operation);
// Event details: warp, lane, predicate.
void describe(tlm_bus::event_details& event, const lane_operation& operation);

// Unit -> write-back's latch: the result of one lane. Sent in the last cycle of the unit's pipeline.
struct lane_result {
  std::uint64_t id = 0;
  warp_slot warp;
  std::uint8_t lane = 0;
  std::uint8_t beat = 0;
  bool executed = false;  // false: there is no result
  std::array<std::uint32_t, 4> destination{};
  std::uint8_t flags_out = 0;
  std::uint16_t address_out = 0;
  std::array<std::uint8_t, 2> predicate_out{};
};
void show(tlm_bus::signal_writer& to, const lane_result& result);
// Event details: warp, lane, whether it executed.
void describe(tlm_bus::event_details& event, const lane_result& result);

}  // namespace gt200::model
