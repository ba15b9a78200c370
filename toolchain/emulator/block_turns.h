// The order in which the blocks of a launch are executed without time: one after the other, as long as each comes
// to its end. A block that takes more than `patience` warp instructions may wait for a later one, so from then on
// blocks are resident together, as on a chip, and take turns: a barrier of the grid opens, and a chain of blocks
// goes on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>

namespace gt200::emulator {

enum class block_end : std::uint8_t { ended, waits, stopped };

// More than blocks of ordinary programs take, so that theirs run alone.
inline constexpr std::uint64_t default_patience = std::uint64_t{1} << 22;
// Memory that the states of resident blocks may take together. One block is always resident.
inline constexpr std::size_t resident_bytes = std::size_t{1} << 30;
// The turn of a block, in warp instructions, once blocks take turns; it is the end of a round of its warps that
// counts.
inline constexpr std::uint64_t resident_turn = 1;

// `make()` gives a block (a unique_ptr) and `start(block, number)` puts it at the beginning of block `number`;
// `advance(block, instructions)` executes at least so many warp instructions of it, or to its end. False: stopped.
template <class maker, class starter, class advancer>
bool run_in_turns(std::uint64_t blocks, std::uint64_t patience, maker make, starter start, advancer advance) {
  using slot = decltype(make());
  std::deque<slot> resident;  // set aside, longest first
  slot spare = make();
  const std::size_t most =
      std::max<std::size_t>(1, resident_bytes / std::max<std::size_t>(1, spare->state_bytes()));
  for (std::uint64_t next = 0; next < blocks || !resident.empty();) {
    slot turn;
    if (next < blocks && resident.size() < most) {
      turn = spare != nullptr ? std::move(spare) : make();
      start(*turn, next++);
    } else {
      turn = std::move(resident.front());
      resident.pop_front();
    }
    const block_end end = advance(*turn, patience);
    if (end == block_end::stopped) return false;
    if (end == block_end::ended) {
      spare = std::move(turn);
    } else {
      patience = resident_turn;
      resident.push_back(std::move(turn));
    }
  }
  return true;
}

}  // namespace gt200::emulator
