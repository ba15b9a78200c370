// What the two ways of forming warps have in common: threads that wait, and a choice among them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sc_models/slots.h"
#include "sc_models/sm/formed_lanes.h"

namespace gt200::model {

// Threads that go on together, each in its lane.
struct waiting_warp {
  block_slot block;  // of its threads; slot 0 where a warp may have threads of several blocks
  isa::code_address pc = 0;
  unsigned depth = 0;  // entries on the stack of each thread
  bool meets = false;  // the region on top of these stacks ends at `pc`
  isa::lane_mask lanes = 0;
  formed_lanes threads;  // of these lanes

  bool goes_with(const waiting_warp& other) const {
    return block == other.block && pc == other.pc && depth == other.depth && meets == other.meets;
  }
};

// Takes these lanes of `from`.
void put_threads(waiting_warp& to, const waiting_warp& from, isa::lane_mask lanes);

class warp_pool {
 public:
  virtual ~warp_pool() = default;

  // Adds threads; returns how many of them found an entry to join.
  virtual unsigned add(const waiting_warp& arriving) = 0;
  // All threads of the block are here, have ended or wait at a barrier. Returns whether some go on because of that.
  virtual bool all_arrived(block_slot block) = 0;
  // Removes and returns the next entry among the blocks for which `may_go` has a bit (block slot n: bit n).
  virtual std::optional<waiting_warp> take(std::uint64_t may_go) = 0;

  bool empty() const { return entries_.empty(); }
  unsigned threads() const;
  unsigned threads_of(block_slot block) const;
  unsigned entries() const { return static_cast<unsigned>(entries_.size()); }
  const std::vector<waiting_warp>& contents() const { return entries_; }  // the oldest first

 protected:
  static bool may_be_taken(const waiting_warp& entry, std::uint64_t may_go) {
    return (may_go >> entry.block.index() & 1) != 0;
  }
  waiting_warp remove(std::size_t entry);

  std::vector<waiting_warp> entries_;
};

}  // namespace gt200::model
