// Removes operations whose results nobody needs, and results that nobody reads. The namespace of a target has
// drop_unused_results(operation, is_used), which is called with an operation of which at least one result is
// needed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "toolchain/ptx/machine/definitions.h"

namespace gt200::ptx {

template <class function>
void remove_unused_operations(function& f) {
  using operation = typename function::operation;
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> writers(f.registers.size() * 4);
  std::vector<std::size_t> work;
  std::vector<bool> used(f.registers.size() * 4);
  const auto use = [&](word_ref r) {
    if (used[unit(r)]) return;
    used[unit(r)] = true;
    work.push_back(unit(r));
  };
  for (std::size_t b = 0; b < f.blocks.size(); ++b) {
    for (std::size_t k = 0; k < f.blocks[b].code.size(); ++k) {
      const operation& o = f.blocks[b].code[k];
      for_each_definition(o, [&](word_ref r) { writers[unit(r)].emplace_back(b, k); });
      if (has_effect(o)) for_each_use(o, use);
    }
    if (f.blocks[b].end == ending::branch) use({f.blocks[b].condition, 0});
  }
  while (!work.empty()) {
    const std::size_t u = work.back();
    work.pop_back();
    for (const auto& [b, k] : writers[u]) for_each_use(f.blocks[b].code[k], use);
  }
  const std::function<bool(word_ref)> is_used = [&](word_ref r) { return used[unit(r)]; };
  for (auto& b : f.blocks) {
    const auto is_unused = [&](operation& o) {
      if (has_effect(o)) return false;
      bool needed = false;
      for_each_definition(o, [&](word_ref r) { needed = needed || used[unit(r)]; });
      if (!needed) return true;
      drop_unused_results(o, is_used);
      return false;
    };
    b.code.erase(std::remove_if(b.code.begin(), b.code.end(), is_unused), b.code.end());
  }
}

}  // namespace gt200::ptx
