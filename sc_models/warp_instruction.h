// One warp instruction on its way through the chip, from issue to write-back.
//
// Pooled per SM: allocated at issue, returned at write-back. Tokens of the execution stages carry a pointer to it,
// and the holder of the token owns the instruction. The values were read at collection, are calculated by the units
// and written at write-back; no stage looks them up elsewhere.
#pragma once

#include <cstdint>

#include "sc_models/config/cycles.h"
#include "sc_models/slots.h"
#include "sc_models/sm/formed_lanes.h"
#include "toolchain/arch_state/fault.h"
#include "toolchain/arch_state/generation.h"
#include "toolchain/isa/common/instruction.h"
#include "toolchain/isa/common/lane_bundle.h"

namespace gt200::tlm_bus {
class signal_writer;
struct event_details;
}  // namespace gt200::tlm_bus

namespace gt200::model {

struct grid_descriptor;

struct warp_instruction {
  std::uint64_t id = 0;        // unique in the run: the same in every log, wave and view
  std::uint64_t sequence = 0;  // issue order within the SM
  timed::core_cycle issued_at;
  const isa::instruction* instruction = nullptr;
  const grid_descriptor* grid = nullptr;
  const arch_state::block_place* place = nullptr;  // of its block in the grid
  std::uint32_t block_id = 0;                      // linear block index in the grid
  isa::code_address pc = 0;                        // offset of the instruction in the kernel's code space
  std::uint8_t sm = 0;                             // within its TPC
  warp_slot warp;                                  // in the SM, below limits.warps
  std::uint8_t warp_in_block = 0;
  model::block_slot block_slot;          // in the SM, below limits.blocks
  isa::lane_mask active = 0;             // lanes active at issue
  isa::lane_mask executed = 0;           // active lanes for which the predicate holds; known at collection
  std::uint64_t dependency_entries = 0;  // scoreboard entries to release at write-back
  // Where the compiler schedules: the issue, later by the cycles for which its operands held the path; and a bit
  // per source whose value comes from the reuse cache.
  timed::core_cycle read_slot;
  std::uint8_t reuse_hits = 0;
  std::uint32_t memory_sent = 0;  // there too: older instructions of the warp on their way to memory or through it
  // The memory that its generic addresses reach; none: as instruction->access says.
  isa::memory_space resolved_space = isa::memory_space::none;
  std::uint32_t window_base = 0;   // of the window in which they lie, if they have become offsets from it
  bool by_lane = false;            // its lanes pass the units one by one
  std::uint8_t caches_missed = 0;  // texture instructions: levels of caches that did not have all of its texels
  bool formed = false;             // its lanes are threads of any warps of the block, as `threads` says
  bool posted = false;             // a store that has been sent: its block may end before it is acknowledged
  bool stack_access = false;  // not an instruction of the program: moves an entry of the warp's divergence stack
  // set by the stage that finds it; handled at write-back
  arch_state::fault_kind fault = arch_state::fault_kind::none;
  isa::lane_mask fault_lanes = 0;
  std::uint64_t fault_address = 0;
  formed_lanes threads;
  isa::lane_bundle values;

  isa::memory_space space() const {
    return resolved_space != isa::memory_space::none ? resolved_space : instruction->access.space;
  }
};

// In traces; null stands for none. Event details: warp, pc.
void show(tlm_bus::signal_writer& to, const warp_instruction* operation);
void describe(tlm_bus::event_details& event, const warp_instruction* operation);
// The values of a memory access. On its way out: executed, address.lane_0 .., and data_0.lane_0 .. to data_3 (what
// a store or an atomic operation sends). On its way back: executed, and result_0.lane_0 .. to result_3.
void show_request_values(tlm_bus::signal_writer& to, const warp_instruction* operation);
void show_answer_values(tlm_bus::signal_writer& to, const warp_instruction* operation);

}  // namespace gt200::model
