// Thread block compaction: the threads of a block wait for each other at every instruction that may change the PC
// thread by thread. When all are there, those of one path go on, packed into as few warps as their lanes allow; the
// others wait until these meet them.
//
// In the paper a block has one stack of entries of a PC, the PC where paths meet, and the threads; the threads of
// the top entry run. Here the threads have stacks (arch_state/thread_flow.h), and those that would be in the top
// entry are found by them: of all threads of the block those with the deepest stack, and of these first those that
// are not yet where their region ends. So threads wait where a region ends until no thread is within it.
// Source: Fung, Aamodt: Thread Block Compaction for Efficient SIMT Control Flow, HPCA 2011.
//
// Assumptions: of several such paths that of the lowest address goes first. The pool is large enough for all
// threads.
#pragma once

#include "sc_models/sm/divergence/warp_pool.h"

namespace gt200::model {

class compaction_pool final : public warp_pool {
 public:
  unsigned add(const waiting_warp& arriving) override;
  bool all_arrived(block_slot block) override;
  // Among the threads that go on.
  std::optional<waiting_warp> take(std::uint64_t may_go) override;

 private:
  // The entries in front go on, in the order in which they did.
  std::size_t going_ = 0;
};

}  // namespace gt200::model
