// Which blocks stand on every way from a root to a block.
#pragma once

#include <cstddef>
#include <vector>

namespace gt200::ptx {

class dominator_tree {
 public:
  // `next[b]`: the blocks that control can reach directly from block b; `before` the other way round.
  dominator_tree(const std::vector<std::vector<int>>& next, const std::vector<std::vector<int>>& before, int root);

  // The nearest block that all ways to b pass; -1 for the root, and for blocks that no way reaches.
  int parent(int b) const { return parent_[static_cast<std::size_t>(b)]; }
  // Every way from the root to b passes a, which may be b itself. False if no way reaches one of them.
  bool dominates(int a, int b) const;
  // Blocks that are reached, each behind its parent.
  const std::vector<int>& order() const { return order_; }

 private:
  std::vector<int> parent_;
  std::vector<int> depth_;  // in the tree; -1: not reached
  std::vector<int> order_;  // reverse post-order
};

}  // namespace gt200::ptx
