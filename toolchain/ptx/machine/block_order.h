// The order in which the blocks of a function are emitted. The namespace of a target has vanishes(operation,
// assigned): the operation emits no instruction with these registers.
#pragma once

#include <algorithm>
#include <vector>

#include "toolchain/ptx/machine/function.h"

namespace gt200::ptx {

// Redirects ways to blocks that emit no instructions to the blocks after them.
template <class function>
void skip_vacant_blocks(function& f, const std::vector<int>& assigned) {
  using block = typename function::block;
  const auto is_vacant = [&](const block& b) {
    return b.end == ending::jump && !b.joins && b.announces.empty() && !b.breaks_to_next &&
           std::all_of(b.code.begin(), b.code.end(), [&](const auto& o) { return vanishes(o, assigned); });
  };
  const auto behind = [&](int b) {
    for (std::size_t steps = 0; steps < f.blocks.size(); ++steps) {
      const block& here = f.blocks[static_cast<std::size_t>(b)];
      if (!is_vacant(here)) break;
      b = here.next;
    }
    return b;
  };
  for (block& b : f.blocks) {
    for (reconvergence_point& m : b.announces) m.block = behind(m.block);
    if (b.end == ending::exit) continue;
    b.next = behind(b.next);
    if (b.end != ending::branch) continue;
    b.taken = behind(b.taken);
    if (b.taken == b.next && b.breaks_to_taken == b.breaks_to_next) b.end = ending::jump;
  }
}

// Orders the blocks so that each falls through to `next` where possible.
template <class function>
std::vector<int> block_order(const function& f) {
  const auto returns_to = [&](int b) { return ends_threads(f.blocks[static_cast<std::size_t>(b)]); };
  std::vector<int> order;
  std::vector<bool> placed(f.blocks.size());
  std::vector<int> waiting = {0};
  while (!waiting.empty()) {
    int b = waiting.back();
    waiting.pop_back();
    while (b >= 0 && !placed[static_cast<std::size_t>(b)]) {
      placed[static_cast<std::size_t>(b)] = true;
      order.push_back(b);
      const auto& here = f.blocks[static_cast<std::size_t>(b)];
      for (const reconvergence_point& m : here.announces) waiting.push_back(m.block);
      if (here.end == ending::branch && !here.breaks_to_taken && !returns_to(here.taken))
        waiting.push_back(here.taken);
      const bool leaves =
          here.end == ending::exit || here.breaks_to_next || (here.end == ending::branch && returns_to(here.next));
      b = leaves ? -1 : here.next;
    }
  }
  return order;
}

}  // namespace gt200::ptx
