#include "toolchain/ptx/liveness.h"

#include "toolchain/ptx/dominators.h"

namespace gt200::ptx {

liveness::liveness(const machine_function& f) : f_(f) {
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
      if (o->guarded()) continue;
      for_each_destination(*o, [&](word_ref r) { written[b].set(node(r)); });
      if (o->condition_out >= 0) written[b].set(node(o->condition_out));
    }
  }
  std::vector<std::vector<int>> next;
  for (const block& b : f.blocks) next.push_back(successors(b));
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

void liveness::step_back(const operation& o, bit_set& live) const {
  if (!o.guarded()) {
    for_each_destination(o, [&](word_ref r) { live.reset(node(r)); });
    if (o.condition_out >= 0) live.reset(node(o.condition_out));
  }
  for_each_source(o, [&](word_ref r) { live.set(node(r)); });
  if (o.condition_in >= 0) live.set(node(o.condition_in));
}

bit_set liveness::live_out(std::size_t b) const {
  bit_set live(count_);
  for (const int s : successors(f_.blocks[b])) live.include(live_in_[static_cast<std::size_t>(s)]);
  if (f_.blocks[b].end == ending::branch) live.set(node(f_.blocks[b].condition));
  return live;
}

}  // namespace gt200::ptx
