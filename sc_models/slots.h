// Where a warp and a block live in their SM: slots, not their numbers in the program.
//
// The block of a grid has a block id, a warp of a block a number in it (warp_instruction.h); both are plain
// integers. A slot is given to one after the other.
#pragma once

#include <cstdint>

#include "toolchain/bits.h"
#include "toolchain/strong_index.h"

namespace gt200::model {

using warp_slot = strong_index<struct warp_slot_tag, std::uint8_t>;
using block_slot = strong_index<struct block_slot_tag, std::uint8_t>;

inline constexpr unsigned max_warps = 64;  // per SM: warp masks are 64 bits wide

using warp_mask = std::uint64_t;  // bit n = warp slot n of the SM
constexpr warp_mask warp_bit(warp_slot warp) { return warp_mask{1} << warp.index(); }
// Of the slots 0 .. count - 1; `count` is at most max_warps.
constexpr warp_mask first_warps(unsigned count) {
  return count == max_warps ? ~warp_mask{0} : (warp_mask{1} << count) - 1;
}
// Of this slot and the higher ones.
constexpr warp_mask warps_from(warp_slot warp) { return ~warp_mask{0} << warp.index(); }
// The slots of a mask, ascending: for (const warp_slot warp : warps_in(mask)).
constexpr set_bits<warp_mask, warp_slot> warps_in(warp_mask warps) { return set_bits<warp_mask, warp_slot>(warps); }
// `warps` is not 0.
constexpr warp_slot lowest_warp(warp_mask warps) { return warp_slot(__builtin_ctzll(warps)); }
// The neighbour in a round robin of all slots.
constexpr warp_slot warp_after(warp_slot warp) { return warp_slot((warp.index() + 1) % max_warps); }

// Something for every warp slot.
template <class Element>
using per_warp = indexed_array<warp_slot, Element, max_warps>;

}  // namespace gt200::model
