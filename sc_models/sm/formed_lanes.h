// The threads of a warp that is formed anew: for each lane, the block of the thread and the warp of that block in
// which it started. There are its registers, its local memory and the lock on a word of shared memory that it may
// hold. A thread keeps its lane.
#pragma once

#include <array>
#include <cstdint>

#include "sc_models/slots.h"
#include "toolchain/bits.h"
#include "toolchain/isa/common/lane_bundle.h"

namespace gt200::model {

struct formed_lanes {
  std::array<std::uint8_t, isa::warp_size> slot{};    // of that warp in the SM
  std::array<std::uint8_t, isa::warp_size> number{};  // of that warp in the block
  std::array<std::uint8_t, isa::warp_size> block{};   // slot of the block in the SM

  // All threads started in this warp.
  void set(warp_slot warp, unsigned number_in_block, block_slot of) {
    slot.fill(static_cast<std::uint8_t>(warp.index()));
    number.fill(static_cast<std::uint8_t>(number_in_block));
    block.fill(static_cast<std::uint8_t>(of.index()));
  }
  // Takes the threads of these lanes of `from`.
  void take(const formed_lanes& from, isa::lane_mask lanes) {
    for (const unsigned lane : set_bits(lanes)) {
      slot[lane] = from.slot[lane];
      number[lane] = from.number[lane];
      block[lane] = from.block[lane];
    }
  }
};

// The lanes of `lanes` that `of` has in common with that of the lowest one.
inline isa::lane_mask alike_in(const std::array<std::uint8_t, isa::warp_size>& of, isa::lane_mask lanes) {
  const std::uint8_t first = of[static_cast<unsigned>(__builtin_ctz(lanes))];
  isa::lane_mask alike = 0;
  for (const unsigned lane : set_bits(lanes))
    if (of[lane] == first) alike |= isa::lane_mask{1} << lane;
  return alike;
}

// Calls act(lane of the group, its lanes) for each group of `lanes` whose threads started in one warp.
template <class Action>
void for_each_home(const formed_lanes& threads, isa::lane_mask lanes, Action act) {
  while (lanes != 0) {
    const isa::lane_mask alike = alike_in(threads.slot, lanes);
    act(static_cast<unsigned>(__builtin_ctz(lanes)), alike);
    lanes &= ~alike;
  }
}

// Calls act(block, its lanes) for each block of which there are threads in `lanes`.
template <class Action>
void for_each_block(const formed_lanes& threads, isa::lane_mask lanes, Action act) {
  while (lanes != 0) {
    const isa::lane_mask alike = alike_in(threads.block, lanes);
    act(block_slot(threads.block[static_cast<unsigned>(__builtin_ctz(lanes))]), alike);
    lanes &= ~alike;
  }
}

}  // namespace gt200::model
