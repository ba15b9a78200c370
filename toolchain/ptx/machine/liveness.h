// Liveness analysis: which words are read later.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "toolchain/bits.h"
#include "toolchain/ptx/machine/dominators.h"
#include "toolchain/ptx/machine/function.h"

namespace gt200::ptx {

class bit_set {
 public:
  explicit bit_set(std::size_t n = 0) : words_((n + 63) / 64) {}
  void set(std::size_t k) { words_[k / 64] |= std::uint64_t{1} << (k % 64); }
  void reset(std::size_t k) { words_[k / 64] &= ~(std::uint64_t{1} << (k % 64)); }
  bool test(std::size_t k) const { return ((words_[k / 64] >> (k % 64)) & 1) != 0; }
  bool include(const bit_set& other) {
    return combine([&](std::size_t k) { return other.words_[k]; });
  }
  bool include_without(const bit_set& other, const bit_set& left_out) {
    return combine([&](std::size_t k) { return other.words_[k] & ~left_out.words_[k]; });
  }
  bool operator!=(const bit_set& other) const { return words_ != other.words_; }
  template <class visitor>
  void for_each(visitor visit) const {
    for (std::size_t k = 0; k < words_.size(); ++k)
      for (const unsigned bit : set_bits(words_[k])) visit(64 * k + bit);
  }

 private:
  template <class source>
  bool combine(source added) {
    bool changed = false;
    for (std::size_t k = 0; k < words_.size(); ++k) {
      const std::uint64_t joined = words_[k] | added(k);
      changed = changed || joined != words_[k];
      words_[k] = joined;
    }
    return changed;
  }

  std::vector<std::uint64_t> words_;
};

// Every word of a virtual register is a node.
template <class function>
class basic_liveness {
 public:
  using operation = typename function::operation;

  explicit basic_liveness(const function& f) : f_(f) {
    for (const virtual_register& r : f.registers) {
      owner_.insert(owner_.end(), r.words, first_.size());
      first_.push_back(count_);
      count_ += r.words;
    }
    // Computes once what a block needs and writes; then each block passes on what its successors need.
    std::vector<bit_set> written(f.blocks.size(), bit_set(count_));
    live_in_.assign(f.blocks.size(), bit_set(count_));
    for (std::size_t b = 0; b < f.blocks.size(); ++b) {
      bit_set& live = live_in_[b];
      if (f.blocks[b].end == ending::branch) live.set(node(f.blocks[b].condition));
      for (auto o = f.blocks[b].code.rbegin(); o != f.blocks[b].code.rend(); ++o) {
        step_back(*o, live);
        if (!o->guarded()) for_each_definition(*o, [&](word_ref r) { written[b].set(node(r)); });
      }
    }
    std::vector<std::vector<int>> next;
    for (const auto& b : f.blocks) next.push_back(successors(b));
    const dominator_tree tree(next, predecessors(f), 0);
    for (bool changed = true; changed;) {
      changed = false;
      for (auto b = tree.order().rbegin(); b != tree.order().rend(); ++b) {
        const auto k = static_cast<std::size_t>(*b);
        for (const int s : next[k])
          changed = live_in_[k].include_without(live_in_[static_cast<std::size_t>(s)], written[k]) || changed;
      }
    }
  }

  std::size_t count() const { return count_; }
  std::size_t first(std::size_t reg) const { return first_[reg]; }
  std::size_t node(word_ref r) const { return first_[static_cast<std::size_t>(r.reg)] + r.word; }
  std::size_t node(int condition) const { return first_[static_cast<std::size_t>(condition)]; }
  std::size_t owner(std::size_t node) const { return owner_[node]; }

  bool lives_into(std::size_t b, word_ref r) const { return live_in_[b].test(node(r)); }
  bit_set live_out(std::size_t b) const {
    bit_set live(count_);
    for (const int s : successors(f_.blocks[b])) live.include(live_in_[static_cast<std::size_t>(s)]);
    if (f_.blocks[b].end == ending::branch) live.set(node(f_.blocks[b].condition));
    return live;
  }
  // Block b has changed, and what it needs with it. `before`: the predecessors. Right as long as no block on a way
  // round a loop needs less than before.
  void update(std::size_t b, const std::vector<std::vector<int>>& before) {
    std::vector<std::size_t> work = {b};
    while (!work.empty()) {
      const std::size_t k = work.back();
      work.pop_back();
      bit_set live = live_out(k);
      for (auto o = f_.blocks[k].code.rbegin(); o != f_.blocks[k].code.rend(); ++o) step_back(*o, live);
      if (!(live != live_in_[k])) continue;
      live_in_[k] = std::move(live);
      for (const int p : before[k]) work.push_back(static_cast<std::size_t>(p));
    }
  }
  // Steps from after an operation to before it.
  void step_back(const operation& o, bit_set& live) const {
    if (!o.guarded()) for_each_definition(o, [&](word_ref r) { live.reset(node(r)); });
    for_each_use(o, [&](word_ref r) { live.set(node(r)); });
  }

 private:
  const function& f_;
  std::size_t count_ = 0;
  std::vector<std::size_t> first_;  // node of a register's first word
  std::vector<std::size_t> owner_;  // register of a node
  std::vector<bit_set> live_in_;
};

}  // namespace gt200::ptx
