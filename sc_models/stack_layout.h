// Layout of the divergence stacks in memory, for entries that do not fit on the chip.
//
// The stack memory of the chip ends the device memory of programs, and the physical memory; local memory lies below
// it. Device memory ends with the address space, or where the windows of generic addresses begin.
// Every warp slot has room for all entries of its stack. Hardware has it at a place of the driver's choice
// (STACK_ADDRESS, STACK_SIZE_LOG: envytools g80_compute.xml).
#pragma once

#include <cstdint>

#include "sc_models/config/chip_config.h"
#include "toolchain/arch_state/generation.h"

namespace gt200::model {

struct stack_layout {
  std::uint64_t base = 0;   // virtual
  std::uint64_t bytes = 0;  // of the chip, whole pages
  std::uint32_t entry_bytes = 8;
  std::uint32_t warp_bytes = 0;
  std::uint32_t warps_per_sm = 0;

  std::uint32_t address(unsigned sm_in_chip, warp_slot warp, unsigned entry) const {
    return static_cast<std::uint32_t>(base) + (sm_in_chip * warps_per_sm + warp.index()) * warp_bytes +
           entry * entry_bytes;
  }
  // The index of the entry at this address in the stack of its warp.
  unsigned entry_at(std::uint32_t address) const {
    return (address - static_cast<std::uint32_t>(base)) % warp_bytes / entry_bytes;
  }
};

inline stack_layout stack_layout_of(const config::gpu_config& config,
                                    const arch_state::generation_values& generation) {
  const config::simt_stack_config& stack = config.tpc.sm.simt_stack;
  const std::uint64_t page = config.memory_map.page_bytes;
  stack_layout layout;
  layout.entry_bytes = stack.entry_bytes();
  layout.warp_bytes = stack.maximum_entries * layout.entry_bytes;
  layout.warps_per_sm = config.tpc.sm.limits.warps;
  const std::uint64_t warps = std::uint64_t{config.chip.sms()} * layout.warps_per_sm;
  layout.bytes = (warps * layout.warp_bytes + page - 1) / page * page;
  layout.base = generation.end_of_device_memory() - layout.bytes;
  return layout;
}

}  // namespace gt200::model
