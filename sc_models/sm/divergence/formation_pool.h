// The warp pool of dynamic warp formation: threads that wait to become a warp, and the choice among them.
//
// An entry holds threads of one block that go on at one address, each in its lane. A look-up table finds, for a
// block and an address, the youngest entry. Threads that arrive take their lanes there; those whose lane is taken
// begin a new entry, which the table names from then on. Older entries fill no further. Source: Fung, Sham, Yuan,
// Aamodt (MICRO 2007), warp pool and PC-warp LUT.
//
// Assumptions: the pool is large enough for all threads, and the table finds every address.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sc_models/config/sm_front_end_config.h"
#include "sc_models/slots.h"
#include "sc_models/sm/formed_lanes.h"

namespace gt200::model {

struct waiting_warp {
  block_slot block;
  isa::code_address pc = 0;
  isa::lane_mask lanes = 0;
  formed_lanes threads;  // of these lanes
};

class formation_pool {
 public:
  explicit formation_pool(config::formation_heuristic heuristic) : heuristic_(heuristic) {}

  // Adds threads; returns how many of them found an entry to join.
  unsigned add(const waiting_warp& arriving);
  // Removes and returns the entry that the heuristic prefers among the blocks for which `may_go` has a bit (block
  // slot n: bit n). Entries of one address go in the order in which they began.
  std::optional<waiting_warp> take(std::uint64_t may_go);

  bool empty() const { return entries_.empty(); }
  unsigned threads() const;
  unsigned threads_of(block_slot block) const;
  unsigned entries() const { return static_cast<unsigned>(entries_.size()); }
  const std::vector<waiting_warp>& contents() const { return entries_; }  // the oldest first

 private:
  // Threads of all blocks in `may_go` that wait for an address.
  unsigned threads_at(isa::code_address pc, std::uint64_t may_go) const;
  std::size_t by_count(std::uint64_t may_go, bool most) const;
  std::size_t choose(std::uint64_t may_go);

  config::formation_heuristic heuristic_;
  std::vector<waiting_warp> entries_;
  std::optional<isa::code_address> held_pc_;  // majority: what it has chosen and goes on with
};

}  // namespace gt200::model
