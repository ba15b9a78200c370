// The threads of a warp that is formed anew: for each lane, the warp of the block in which the thread started.
// There are its registers, its local memory and the lock on a word of shared memory that it may hold. A thread
// keeps its lane.
#pragma once

#include <array>
#include <cstdint>

#include "toolchain/bits.h"
#include "toolchain/isa/common/lane_bundle.h"

namespace gt200::model {

struct formed_lanes {
  std::array<std::uint8_t, isa::warp_size> slot{};    // of that warp in the SM
  std::array<std::uint8_t, isa::warp_size> number{};  // of that warp in the block
};

// Calls act(lane of the group, its lanes) for each group of `lanes` whose threads started in one warp.
template <class Action>
void for_each_home(const formed_lanes& threads, isa::lane_mask lanes, Action act) {
  while (lanes != 0) {
    const auto first = static_cast<unsigned>(__builtin_ctz(lanes));
    isa::lane_mask alike = 0;
    for (const unsigned lane : set_bits(lanes))
      if (threads.slot[lane] == threads.slot[first]) alike |= isa::lane_mask{1} << lane;
    act(first, alike);
    lanes &= ~alike;
  }
}

}  // namespace gt200::model
