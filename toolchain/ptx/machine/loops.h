// Natural loops: an edge back to a block that dominates its start makes a loop of the blocks between.
#pragma once

#include <utility>
#include <vector>

#include "toolchain/ptx/machine/dominators.h"
#include "toolchain/ptx/machine/function.h"

namespace gt200::ptx {

struct natural_loop {
  int head = -1;
  std::vector<bool> contains;  // by block
  bool has(int b) const { return b >= 0 && contains[static_cast<std::size_t>(b)]; }
};

// One loop per edge back, outer loops before those inside them. A loop whose head is the entry block is left out:
// nothing can be put in front of it.
template <class function>
std::vector<natural_loop> loops_of(const function& f) {
  std::vector<std::vector<int>> next;
  for (const auto& b : f.blocks) next.push_back(successors(b));
  const std::vector<std::vector<int>> before = predecessors(f);
  const dominator_tree tree(next, before, 0);
  std::vector<natural_loop> loops;
  for (const int tail : tree.order()) {
    for (const int head : next[static_cast<std::size_t>(tail)]) {
      if (head == 0 || !tree.dominates(head, tail)) continue;
      natural_loop loop;
      loop.head = head;
      loop.contains.assign(f.blocks.size(), false);
      loop.contains[static_cast<std::size_t>(head)] = true;
      std::vector<int> work = {tail};
      while (!work.empty()) {
        const int b = work.back();
        work.pop_back();
        if (loop.has(b)) continue;
        loop.contains[static_cast<std::size_t>(b)] = true;
        work.insert(work.end(), before[static_cast<std::size_t>(b)].begin(),
                    before[static_cast<std::size_t>(b)].end());
      }
      loops.push_back(std::move(loop));
    }
  }
  return loops;
}

// A new block with this code on all ways into the loop.
template <class function>
void add_entrance(function& f, const natural_loop& loop, std::vector<typename function::operation> code) {
  const int entrance = static_cast<int>(f.blocks.size());
  const std::vector<std::vector<int>> before = predecessors(f);
  typename function::block made;
  made.code = std::move(code);
  made.end = ending::jump;
  made.next = loop.head;
  made.line = f.blocks[static_cast<std::size_t>(loop.head)].line;
  f.blocks.push_back(std::move(made));
  for (const int p : before[static_cast<std::size_t>(loop.head)]) {
    if (loop.has(p)) continue;
    auto& from = f.blocks[static_cast<std::size_t>(p)];
    if (from.next == loop.head) from.next = entrance;
    if (from.taken == loop.head) from.taken = entrance;
  }
}

}  // namespace gt200::ptx
