// The dominator tree: which blocks lie on every way from a root to a block.
#pragma once

#include <cstddef>
#include <vector>

namespace gt200::ptx {

class dominator_tree {
 public:
  // `next[b]`: the blocks that control can reach directly from block b; `before`: the inverse.
  dominator_tree(const std::vector<std::vector<int>>& next, const std::vector<std::vector<int>>& before, int root);

  // The immediate dominator of b; -1 for the root and for unreachable blocks.
  int parent(int b) const { return parent_[static_cast<std::size_t>(b)]; }
  // True if every way from the root to b passes a, which may be b itself. False if either is unreachable.
  bool dominates(int a, int b) const;
  // Reachable blocks, each after its parent.
  const std::vector<int>& order() const { return order_; }

 private:
  std::vector<int> parent_;
  std::vector<int> depth_;  // in the tree; -1: unreachable
  std::vector<int> order_;  // reverse post-order
};

}  // namespace gt200::ptx
