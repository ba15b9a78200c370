// What the section pool offers the stages of an SM, and what it needs of the register file. See section_pool.h.
#pragma once

#include <cstdint>
#include <systemc>

#include "sc_models/grid_descriptor.h"
#include "sc_models/slots.h"
#include "tlm_bus/port.h"
#include "tlm_bus/registered_signal.h"
#include "toolchain/isa/common/instruction.h"
#include "toolchain/isa/common/lane_bundle.h"

namespace gt200::model {

// A bit per section of the pool.
using section_mask = std::uint64_t;

// Implemented by the register file.
class section_rows_if {
 public:
  virtual ~section_rows_if() = default;
  // Registers [first, first + count) of the warp are the rows of the storage from `first_row` on.
  virtual void map_section(warp_slot warp, std::uint32_t first_row, unsigned first, unsigned count) = 0;
  virtual void unmap_section(warp_slot warp) = 0;
  // The content of a register of the section that the warp has just got.
  virtual void fill_section(warp_slot warp, unsigned index, const isa::lane_words& values) = 0;
};

// Implemented by the section pool.
class section_pool_if {
 public:
  virtual ~section_pool_if() = default;

  // -- called by block control --
  // A warp starts. `warp_in_block`: its number there; `first_row`: of its block in the storage.
  virtual void started(warp_slot warp, const grid_descriptor& grid, block_slot block, std::uint32_t block_id,
                       unsigned warp_in_block, std::uint32_t first_row) = 0;

  // -- called by issue --
  // False: an acquire of the warp has to wait.
  virtual bool may_acquire(warp_slot warp) const = 0;
  // True from the issue of the acquire until the issue of the release behind it.
  virtual bool holds(warp_slot warp) const = 0;
  // An instruction of the pool issues.
  virtual void issued(warp_slot warp, isa::section_action action) = 0;
  // Changes when a release arrives, so when a section becomes free.
  virtual const tlm_bus::registered_signal<section_mask>& free_sections() const = 0;

  // -- called by the branch unit --
  // All older instructions of the warp have read and written their registers.
  virtual void released(warp_slot warp) = 0;
};

}  // namespace gt200::model
