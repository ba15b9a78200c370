// The transactions between the register file of an SM and the stages that use it. Each is one call in the cycle of
// its sender (tlm_bus/transaction.h).
//
// Rows of values hold 32 lanes, as toolchain/arch_state/register_transfer.h describes. `lanes` are those that need
// the value or write it; the rest of a row that is read is unspecified, and of a row that is written ignored.
#pragma once

#include <array>
#include <cstdint>

#include "sc_models/slots.h"
#include "sc_models/sm/formed_lanes.h"
#include "toolchain/arch_state/register_transfer.h"

namespace gt200::tlm_bus {
class signal_writer;
struct event_details;
}  // namespace gt200::tlm_bus

namespace gt200::model {

// Operand collector -> register file: all registers that one instruction reads.
struct register_read_request {
  std::uint64_t id = 0;  // of the instruction
  warp_slot warp;
  isa::lane_mask lanes = 0;
  arch_state::register_reads registers;  // their rows are the answer
  // Whose registers those of each lane are; null: those of `warp`.
  const formed_lanes* threads = nullptr;
};
void show(tlm_bus::signal_writer& to, const register_read_request& request);
void show_values(tlm_bus::signal_writer& to, const register_read_request& request);
// Event details: warp, lanes, first register.
void describe(tlm_bus::event_details& event, const register_read_request& request);

// Write-back and block control -> register file: the results of one instruction, or of one beat of its lanes; or
// the registers of a warp that starts.
struct register_write_request {
  std::uint64_t id = 0;  // of the instruction; 0 at the start of a warp
  warp_slot warp;
  isa::lane_mask lanes = 0;
  arch_state::register_writes registers;
  const formed_lanes* threads = nullptr;  // as in a read
};
void show(tlm_bus::signal_writer& to, const register_write_request& request);
void show_values(tlm_bus::signal_writer& to, const register_write_request& request);
void describe(tlm_bus::event_details& event, const register_write_request& request);

// Block control -> register file: a warp that starts gets the rows of `registers` general registers from
// `first_row` on. Its predicates and address registers become zero, its general registers keep what is there.
struct register_allocation {
  warp_slot warp;
  std::uint32_t first_row = 0;
  std::uint32_t registers = 0;
};
void show(tlm_bus::signal_writer& to, const register_allocation& allocation);
// Event details: warp, first row, registers.
void describe(tlm_bus::event_details& event, const register_allocation& allocation);

// Register file -> the part of it that belongs to one SP: the entries of one row. A row of 32 lanes takes 32 / SPs
// neighbouring entries; entry n of the row belongs to lane n x SPs + number of the SP.
struct slice_access {
  static constexpr unsigned max_lanes = 32;  // with a single SP
  bool writes = false;
  std::uint32_t row = 0;
  std::uint32_t lanes = 0;                      // bit n: entry n of the row takes part
  std::array<std::uint32_t, max_lanes> data{};  // of these entries: to write, or the answer
};
void show(tlm_bus::signal_writer& to, const slice_access& access);
// Event details: row, lanes, whether it writes.
void describe(tlm_bus::event_details& event, const slice_access& access);

}  // namespace gt200::model
