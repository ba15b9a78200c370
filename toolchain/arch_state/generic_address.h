// Generic addresses: which memory the lanes of an access reach, by the windows of shared and local memory.
#pragma once

#include "toolchain/arch_state/generation.h"
#include "toolchain/arch_state/lane_rows.h"

namespace gt200::arch_state {

// The lanes of `lanes` whose address lies in the window that begins at `base`.
inline isa::lane_mask lanes_in_window(const isa::lane_words& address, std::uint32_t base, std::uint32_t bytes,
                                      isa::lane_mask lanes) {
  isa::lane_mask inside = 0;
  for (unsigned lane = 0; lane < isa::warp_size; ++lane)
    inside |= static_cast<isa::lane_mask>(address.lane[lane] - base < bytes) << lane;
  return inside & lanes;
}

// The memory that all of `lanes` (not 0) reach: shared, local or global; none if they reach several. For shared and
// local memory the addresses become offsets from the start of the window.
inline isa::memory_space resolve_generic(const generation_values& values, isa::lane_mask lanes,
                                         isa::lane_words& address) {
  const isa::lane_mask shared = lanes_in_window(address, values.shared_window, values.window_bytes, lanes);
  const isa::lane_mask local = lanes_in_window(address, values.local_window, values.window_bytes, lanes);
  if ((shared | local) == 0) return isa::memory_space::global;
  if (shared != lanes && local != lanes) return isa::memory_space::none;
  const std::uint32_t base = shared == lanes ? values.shared_window : values.local_window;
  for (std::uint32_t& a : address.lane) a -= base;
  return shared == lanes ? isa::memory_space::shared : isa::memory_space::local;
}

// The first of these memories that any of `lanes` (not 0) reaches - shared, local, global - and the lanes that do.
inline isa::lane_mask lanes_of_first_memory(const generation_values& values, isa::lane_mask lanes,
                                            const isa::lane_words& address) {
  const isa::lane_mask shared = lanes_in_window(address, values.shared_window, values.window_bytes, lanes);
  const isa::lane_mask local = lanes_in_window(address, values.local_window, values.window_bytes, lanes);
  return shared != 0 ? shared : local != 0 ? local : lanes;
}

// The lanes of `lanes` whose address has a part above 32 bits.
inline isa::lane_mask lanes_beyond_32_bits(const isa::lane_words& address_high, isa::lane_mask lanes) {
  isa::lane_mask beyond = 0;
  for (unsigned lane = 0; lane < isa::warp_size; ++lane)
    beyond |= static_cast<isa::lane_mask>(address_high.lane[lane] != 0) << lane;
  return beyond & lanes;
}

// The whole address of the lowest of `lanes`.
inline std::uint64_t wide_address(const isa::lane_bundle& values, isa::lane_mask lanes) {
  const unsigned lane = lowest_lane(lanes);
  return values.address.lane[lane] | std::uint64_t{values.address_high.lane[lane]} << 32;
}

}  // namespace gt200::arch_state
