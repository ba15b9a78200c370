// Computes before a loop what is needed behind it, if the operands live through the loop for that alone and the
// result takes fewer registers than they do.
#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "toolchain/ptx/machine/dominators.h"
#include "toolchain/ptx/machine/loops.h"
#include "toolchain/ptx/tesla/memory_order.h"
#include "toolchain/ptx/tesla/passes.h"

namespace gt200::ptx::tesla {
namespace {

constexpr std::size_t longest_block = 400;  // the run time grows with the square of the length

class early_computer {
 public:
  explicit early_computer(machine_function& f) : f_(f), loops_(loops_of(f)), tree_(dominators(f)), ends_(ends(f)) {}

  bool run() {
    bool changed = false;
    for (std::size_t b = 1; b < f_.blocks.size(); ++b) {
      const int to = place_for(static_cast<int>(b));
      if (to < 0) continue;
      const std::vector<int> heads = loops_between(to, static_cast<int>(b));
      while (!heads.empty() && move_one(b, static_cast<std::size_t>(to), heads)) changed = true;
    }
    return changed;
  }

 private:
  static dominator_tree dominators(const machine_function& f) {
    std::vector<std::vector<int>> next;
    for (const block& b : f.blocks) next.push_back(successors(b));
    return {next, predecessors(f), 0};
  }

  // Dominators on the ways back from the end, which is one more block.
  static dominator_tree ends(const machine_function& f) {
    const int end = static_cast<int>(f.blocks.size());
    std::vector<std::vector<int>> next;
    for (const block& b : f.blocks) next.push_back(successors(b));
    std::vector<std::vector<int>> before = predecessors(f);
    next.emplace_back();
    before.emplace_back();
    for (int b = 0; b < end; ++b)
      if (f.blocks[static_cast<std::size_t>(b)].end == ending::exit) {
        next[static_cast<std::size_t>(b)].push_back(end);
        before.back().push_back(b);
      }
    return {before, next, end};
  }

  std::ptrdiff_t depth(int b) const {
    return std::count_if(loops_.begin(), loops_.end(), [&](const natural_loop& l) { return l.has(b); });
  }

  // The nearest block that dominates b, lies in the same loops and always leads to b; -1: there is none.
  int place_for(int b) const {
    int to = tree_.parent(b);
    while (to >= 0 && depth(to) > depth(b)) to = tree_.parent(to);
    return to >= 0 && depth(to) == depth(b) && ends_.dominates(b, to) ? to : -1;
  }

  // Heads of the loops that are always between the two blocks.
  std::vector<int> loops_between(int to, int b) const {
    std::vector<int> heads;
    for (const natural_loop& l : loops_)
      if (!l.has(to) && !l.has(b) && tree_.dominates(to, l.head) && ends_.dominates(b, l.head))
        heads.push_back(l.head);
    return heads;
  }

  // Moves the operations that lead to one result from the block `from` to the end of `to`, if that pays.
  bool move_one(std::size_t from, std::size_t to, const std::vector<int>& heads) {
    const std::vector<operation>& code = f_.blocks[from].code;
    if (code.size() > longest_block) return false;
    const definitions values(f_);
    std::set<std::size_t> best;
    int most = 0;
    for (std::size_t k = 0; k < code.size(); ++k) {
      std::set<std::size_t> moved;
      if (!collect(values, from, to, k, moved)) continue;
      int saved = 0;
      bool costs = false;
      for (const int head : heads) {
        const int here = saved_words(values, from, head, moved);
        costs = costs || here < 0;
        saved += here;
      }
      if (saved > most && !costs) {
        most = saved;
        best = std::move(moved);
      }
    }
    if (best.empty()) return false;
    std::vector<operation> left;
    for (std::size_t k = 0; k < code.size(); ++k)
      (best.count(k) != 0 ? f_.blocks[to].code : left).push_back(code[k]);
    f_.blocks[from].code = std::move(left);
    return true;
  }

  // Operation k and those of its block that it needs. False if one of them cannot move.
  bool collect(const definitions& values, std::size_t from, std::size_t to, std::size_t k,
               std::set<std::size_t>& moved) const {
    const operation& o = f_.blocks[from].code[k];
    if (!is_computation(o) || !values.is_value(o.destination) ||
        o.code.destination.kind != isa::tesla::operand_kind::gpr)
      return false;
    if (!moved.insert(k).second) return true;
    bool can_move = true;
    for_each_source(o, [&](word_ref r) {
      if (!can_move || !values.never_changes(f_, r)) {
        can_move = false;
        return;
      }
      const definitions::entry& made = values.of(r);
      if (made.writes != 0 && made.in_block == static_cast<int>(from))
        can_move = collect(values, from, to, static_cast<std::size_t>(made.index), moved);
      else
        can_move = made.writes == 0 || tree_.dominates(made.in_block, static_cast<int>(to));
    });
    return can_move;
  }

  // By how many the words that live at the head of a loop become fewer.
  int saved_words(const definitions& values, std::size_t from, int head, const std::set<std::size_t>& moved) const {
    std::vector<word_ref> operands;
    std::vector<word_ref> results;
    for (const std::size_t k : moved) {
      for_each_source(f_.blocks[from].code[k], [&](word_ref r) {
        if (std::find(operands.begin(), operands.end(), r) == operands.end()) operands.push_back(r);
      });
      for_each_destination(f_.blocks[from].code[k], [&](word_ref r) { results.push_back(r); });
    }
    const auto is_result = [&](word_ref r) {
      return std::find(results.begin(), results.end(), r) != results.end();
    };
    const auto is_read = [&](word_ref r) { return is_read_behind(values, r, from, head, moved); };
    const auto dies = [&](word_ref r) { return !is_result(r) && !is_read(r); };
    return static_cast<int>(std::count_if(operands.begin(), operands.end(), dies) -
                            std::count_if(results.begin(), results.end(), is_read));
  }

  // True if something from the head of a loop on, without passing what writes r, reads r but for the moved
  // operations.
  bool is_read_behind(const definitions& values, word_ref r, std::size_t from, int head,
                      const std::set<std::size_t>& moved) const {
    const definitions::entry& made = values.of(r);
    std::vector<bool> seen(f_.blocks.size());
    std::vector<int> work = {head};
    while (!work.empty()) {
      const auto b = static_cast<std::size_t>(work.back());
      work.pop_back();
      if (seen[b]) continue;
      seen[b] = true;
      const bool is_here = made.writes != 0 && made.in_block == static_cast<int>(b);
      if (is_here && b != from) continue;
      for (std::size_t k = 0; k < f_.blocks[b].code.size(); ++k) {
        if (b == from && moved.count(k) != 0) continue;
        bool reads = false;
        for_each_source(f_.blocks[b].code[k], [&](word_ref s) { reads = reads || s == r; });
        if (reads) return true;
      }
      if (!is_here) {
        const std::vector<int> next = successors(f_.blocks[b]);
        work.insert(work.end(), next.begin(), next.end());
      }
    }
    return false;
  }

  machine_function& f_;
  std::vector<natural_loop> loops_;
  dominator_tree tree_;
  dominator_tree ends_;
};

}  // namespace

bool compute_early(machine_function& f) { return early_computer(f).run(); }

}  // namespace gt200::ptx::tesla
