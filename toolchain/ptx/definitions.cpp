#include "toolchain/ptx/definitions.h"

#include "toolchain/ptx/dominators.h"

namespace gt200::ptx {

definitions::definitions(const machine_function& f) : words_(f.registers.size() * 4) {
  for (std::size_t b = 0; b < f.blocks.size(); ++b) {
    for (std::size_t k = 0; k < f.blocks[b].code.size(); ++k) {
      const operation& o = f.blocks[b].code[k];
      for_each_destination(o, [&](word_ref r) {
        entry& e = words_[unit(r)];
        ++e.writes;
        e.in_block = static_cast<int>(b);
        e.index = static_cast<int>(k);
      });
      for_each_source(o, [&](word_ref r) { ++words_[unit(r)].reads; });
    }
  }
  find_early_reads(f);
}

void definitions::find_early_reads(const machine_function& f) {
  std::vector<std::vector<int>> next;
  for (const block& b : f.blocks) next.push_back(successors(b));
  const dominator_tree tree(next, predecessors(f), 0);
  for (std::size_t b = 0; b < f.blocks.size(); ++b) {
    for (std::size_t k = 0; k < f.blocks[b].code.size(); ++k) {
      for_each_source(f.blocks[b].code[k], [&](word_ref r) {
        entry& e = words_[unit(r)];
        if (e.writes != 1 || !e.before_reads) return;
        e.before_reads = e.in_block == static_cast<int>(b) ? e.index < static_cast<int>(k)
                                                           : tree.dominates(e.in_block, static_cast<int>(b));
      });
    }
  }
}

const operation* definitions::only(const machine_function& f, word_ref r) const {
  const entry& e = of(r);
  if (!is_value(r)) return nullptr;
  return &f.blocks[static_cast<std::size_t>(e.in_block)].code[static_cast<std::size_t>(e.index)];
}

bool definitions::never_changes(const machine_function& f, word_ref r) const {
  const entry& e = of(r);
  return is_value(r) || (e.writes == 0 && f.registers[static_cast<std::size_t>(r.reg)].fixed >= 0);
}

bool definitions::has_values_only(const machine_function& f, const operation& o) const {
  bool all = true;
  for_each_source(o, [&](word_ref r) { all = all && never_changes(f, r); });
  return all;
}

}  // namespace gt200::ptx
