// The warp pool of dynamic warp formation: threads that wait to become a warp, and the choice among them.
//
// An entry holds threads of one block that go on at one address, each in its lane. A look-up table finds, for a
// block and an address, the youngest entry. Threads that arrive take their lanes there; those whose lane is taken
// begin a new entry, which the table names from then on. Older entries fill no further. Source: Fung, Sham, Yuan,
// Aamodt (MICRO 2007), warp pool and PC-warp LUT.
//
// Assumptions: the pool is large enough for all threads, and the table finds every address.
#pragma once

#include "sc_models/config/sm_front_end_config.h"
#include "sc_models/sm/divergence/warp_pool.h"

namespace gt200::model {

class formation_pool final : public warp_pool {
 public:
  explicit formation_pool(config::formation_heuristic heuristic) : heuristic_(heuristic) {}

  unsigned add(const waiting_warp& arriving) override;
  bool all_arrived(block_slot) override { return false; }  // no thread waits for that
  // The entry that the heuristic prefers. Entries of one address go in the order in which they began.
  std::optional<waiting_warp> take(std::uint64_t may_go) override;

 private:
  // Threads of all blocks in `may_go` that wait for an address.
  unsigned threads_at(isa::code_address pc, std::uint64_t may_go) const;
  std::size_t by_count(std::uint64_t may_go, bool most) const;
  std::size_t choose(std::uint64_t may_go);

  config::formation_heuristic heuristic_;
  std::optional<isa::code_address> held_pc_;  // majority: what it has chosen and goes on with
};

}  // namespace gt200::model
