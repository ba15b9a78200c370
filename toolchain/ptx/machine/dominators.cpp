// K. Cooper, T. Harvey, K. Kennedy: A simple, fast dominance algorithm (2001).
#include "toolchain/ptx/machine/dominators.h"

#include <algorithm>
#include <utility>

namespace gt200::ptx {

dominator_tree::dominator_tree(const std::vector<std::vector<int>>& next,
                               const std::vector<std::vector<int>>& before, int root)
    : parent_(next.size(), -1), depth_(next.size(), -1) {
  const auto at = [](int b) { return static_cast<std::size_t>(b); };
  std::vector<int> number(next.size(), -1);  // in post-order
  std::vector<bool> seen(next.size());
  std::vector<std::pair<int, std::size_t>> stack = {{root, 0}};  // block, number of its successors already visited
  seen[at(root)] = true;
  while (!stack.empty()) {
    auto& [b, taken] = stack.back();
    if (taken < next[at(b)].size()) {
      const int to = next[at(b)][taken++];
      if (!seen[at(to)]) {
        seen[at(to)] = true;
        stack.emplace_back(to, 0);
      }
      continue;
    }
    number[at(b)] = static_cast<int>(order_.size());
    order_.push_back(b);
    stack.pop_back();
  }
  std::reverse(order_.begin(), order_.end());
  const auto meet = [&](int a, int b) {
    while (a != b) {
      while (number[at(a)] < number[at(b)]) a = parent_[at(a)];
      while (number[at(b)] < number[at(a)]) b = parent_[at(b)];
    }
    return a;
  };
  parent_[at(root)] = root;
  for (bool changed = true; changed;) {
    changed = false;
    for (const int b : order_) {
      if (b == root) continue;
      int nearest = -1;
      for (const int p : before[at(b)])
        if (parent_[at(p)] >= 0) nearest = nearest < 0 ? p : meet(nearest, p);
      changed = changed || parent_[at(b)] != nearest;
      parent_[at(b)] = nearest;
    }
  }
  parent_[at(root)] = -1;
  for (const int b : order_) depth_[at(b)] = b == root ? 0 : depth_[at(parent_[at(b)])] + 1;
}

bool dominator_tree::dominates(int a, int b) const {
  const int depth = depth_[static_cast<std::size_t>(a)];
  if (depth < 0 || depth_[static_cast<std::size_t>(b)] < 0) return false;
  while (depth_[static_cast<std::size_t>(b)] > depth) b = parent_[static_cast<std::size_t>(b)];
  return a == b;
}

}  // namespace gt200::ptx
