// Writers and readers of each word of a function. A register that is written once, before all its reads, is a
// value, which passes may move. Written once is not enough: a loop that reads it before the write reads the value
// of the round before.
#pragma once

#include <vector>

#include "toolchain/ptx/machine/dominators.h"
#include "toolchain/ptx/machine/function.h"

namespace gt200::ptx {

inline std::size_t unit(word_ref r) { return static_cast<std::size_t>(r.reg) * 4 + r.word; }

// For every word of a general register: how often it is written, by which operation (valid if once), and how often
// it is read. Describes the function at construction: a register added later is no value.
template <class function>
class basic_definitions {
 public:
  using operation = typename function::operation;

  struct entry {
    unsigned writes = 0;
    unsigned reads = 0;
    bool before_reads = true;  // its only write dominates each of its reads
    int in_block = -1;
    int index = -1;
  };

  explicit basic_definitions(const function& f) : words_(f.registers.size() * 4) {
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

  // The register must have existed at construction.
  const entry& of(word_ref r) const { return words_[unit(r)]; }
  // Written once, before all reads.
  bool is_value(word_ref r) const { return knows(r) && of(r).writes == 1 && of(r).before_reads; }
  // The operation that writes r, if r is a value.
  const operation* only(const function& f, word_ref r) const {
    const entry& e = of(r);
    if (!is_value(r)) return nullptr;
    return &f.blocks[static_cast<std::size_t>(e.in_block)].code[static_cast<std::size_t>(e.index)];
  }
  // True for a value, and for what a register holds from the start.
  bool never_changes(const function& f, word_ref r) const {
    return is_value(r) ||
           (knows(r) && of(r).writes == 0 && f.registers[static_cast<std::size_t>(r.reg)].fixed >= 0);
  }
  // True if no source of the operation ever changes.
  bool has_values_only(const function& f, const operation& o) const {
    bool all = true;
    for_each_source(o, [&](word_ref r) { all = all && never_changes(f, r); });
    return all;
  }

 private:
  bool knows(word_ref r) const { return unit(r) < words_.size(); }
  void find_early_reads(const function& f) {
    std::vector<std::vector<int>> next;
    for (const auto& b : f.blocks) next.push_back(successors(b));
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

  std::vector<entry> words_;
};

}  // namespace gt200::ptx
