// Places at which threads that a branch separates can meet again: post-dominators that disregard ways on which
// threads only end.
//
// Nobody waits for a thread that has ended. So a branch with a way that only ends has the place where its other
// ways meet. If a kernel ends in several places, some choice says which ways only end. The goal of a block is the
// best place that it can reach. A way to a block with another goal never comes back: it only ends. A branch to the
// end of the program has no place there; it ends at once.
//
// All threads that have not ended must be together at a barrier, so barriers decide which place is better: the one
// to which more blocks with barriers lead; else the one that fewer branches share whose one way has a barrier ahead
// and whose other has none, because threads of the other way would wait for those at the barrier; else the one to
// which more operations lead. Every choice is correct for threads that come to no barrier.
//
// Compilers merge an early return with the end of the program. So if only one way of a branch has a barrier ahead,
// the other one counts as a way that only ends, even if both lead to the same end: its threads go to the end before
// those at the barrier. The last way out of a loop stays.
#pragma once

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "toolchain/ptx/machine/control_flow.h"
#include "toolchain/ptx/machine/dominators.h"
#include "toolchain/ptx/machine/function.h"

namespace gt200::ptx {

template <class operation>
bool is_barrier(const operation& o) {
  return o.code.op == decltype(o.code.op)::bar;
}

template <class function>
class meetings {
 public:
  using block = typename function::block;
  using block_lists = std::vector<std::vector<int>>;

  // `parts`: whether threads may separate at a branch.
  template <class predicate>
  meetings(const function& f, predicate parts) : f_(f), size_(f.blocks.size()), before_(size_), goal_(size_, none) {
    for (std::size_t b = 0; b < size_; ++b)
      for (const int s : ways(static_cast<int>(b))) before_[at(s)].push_back(static_cast<int>(b));
    find_barriers_ahead();
    find_dilemmas(parts);
    find_goals();
    cut_ways_past_barriers();
    link();
  }
  explicit meetings(const function& f) : meetings(f, [](const block& b) { return !b.is_uniform; }) {}

  // The blocks behind b with the same goal: the threads that take another way only end.
  const std::vector<int>& ways_on(int b) const { return next_[at(b)]; }
  bool goes_on(int b, int to) const { return std::count(next_[at(b)].begin(), next_[at(b)].end(), to) != 0; }
  // The nearest block that all threads from b on reach unless they end; -1: there is none.
  int parent(int b) const {
    const int p = tree_->parent(b);
    return p == static_cast<int>(size_) ? -1 : p;
  }
  // True if b is `meeting`, or all threads from b on reach it unless they end.
  bool dominates(int meeting, int b) const { return tree_->dominates(meeting, b); }
  // A barrier is in the block, or on a way behind it.
  bool has_barrier_ahead(int b) const { return barrier_ahead_[at(b)]; }

 private:
  static constexpr int none = -1;
  static std::size_t at(int b) { return static_cast<std::size_t>(b); }

  bool ends_at_once(int b) const { return ends_threads(f_.blocks[at(end_behind(f_, b))]); }

  // The blocks behind b, but for those that do nothing but end.
  std::vector<int> ways(int b) const {
    std::vector<int> result = successors(f_.blocks[at(b)]);
    result.erase(std::remove_if(result.begin(), result.end(), [&](int s) { return ends_at_once(s); }),
                 result.end());
    return result;
  }

  bool ends_here(int b) const {
    const std::vector<int> all = successors(f_.blocks[at(b)]);
    return f_.blocks[at(b)].end == ending::exit ||
           std::any_of(all.begin(), all.end(), [&](int s) { return ends_at_once(s); });
  }

  // The blocks that lead to these, and these.
  std::vector<bool> leading_to(std::vector<int> work) const {
    std::vector<bool> seen(size_);
    while (!work.empty()) {
      const int b = work.back();
      work.pop_back();
      if (seen[at(b)]) continue;
      seen[at(b)] = true;
      work.insert(work.end(), before_[at(b)].begin(), before_[at(b)].end());
    }
    return seen;
  }

  void find_barriers_ahead() {
    for (std::size_t b = 0; b < size_; ++b) {
      const auto& code = f_.blocks[b].code;
      if (std::any_of(code.begin(), code.end(), [](const auto& o) { return is_barrier(o); }))
        barriers_.push_back(static_cast<int>(b));
    }
    barrier_ahead_ = leading_to(barriers_);
  }

  // A branch with a way to a barrier and one that passes it.
  struct dilemma {
    int block = none;
    int to_barrier = none;
    int past_it = none;
  };

  // Branches of whose ways only one has a barrier ahead.
  template <class predicate>
  void find_dilemmas(predicate parts) {
    for (int b = 0; b < static_cast<int>(size_); ++b) {
      const std::vector<int> next = ways(b);
      if (next.size() == 2 && parts(f_.blocks[at(b)]) && has_barrier_ahead(next[0]) != has_barrier_ahead(next[1]))
        dilemmas_.push_back(has_barrier_ahead(next[0]) ? dilemma{b, next[0], next[1]}
                                                       : dilemma{b, next[1], next[0]});
    }
  }

  // A block where threads end.
  struct place {
    int block = none;
    std::size_t barriers = 0;
    std::size_t dilemmas = 0;
    std::size_t operations = 0;
    std::vector<bool> leading;
    bool better_than(const place& o) const {
      return std::tie(barriers, o.dilemmas, operations, block) >
             std::tie(o.barriers, dilemmas, o.operations, o.block);
    }
  };

  place place_at(int b) const {
    place p;
    p.block = b;
    p.leading = leading_to({b});
    const auto leads = [&](int from) { return p.leading[at(from)]; };
    const auto count = [](auto n) { return static_cast<std::size_t>(n); };
    p.barriers = count(std::count_if(barriers_.begin(), barriers_.end(), leads));
    p.dilemmas = count(std::count_if(dilemmas_.begin(), dilemmas_.end(),
                                     [&](const dilemma& d) { return leads(d.to_barrier) && leads(d.past_it); }));
    for (std::size_t k = 0; k < size_; ++k) p.operations += p.leading[k] ? f_.blocks[k].code.size() : 0;
    return p;
  }

  void find_goals() {
    std::vector<place> places;
    for (int b = 0; b < static_cast<int>(size_); ++b)
      if (ends_here(b) && !ends_threads(f_.blocks[at(b)])) places.push_back(place_at(b));
    std::sort(places.begin(), places.end(), [](const place& a, const place& b) { return a.better_than(b); });
    for (const place& p : places)
      for (std::size_t b = 0; b < size_; ++b)
        if (p.leading[b] && goal_[b] == none) goal_[b] = p.block;
  }

  void cut_ways_past_barriers() {
    for (const dilemma& d : dilemmas_) {
      const int goal = goal_[at(d.block)];
      if (goal == none || goal != goal_[at(d.past_it)] || goal != goal_[at(d.to_barrier)]) continue;
      std::vector<int>& before = before_[at(d.past_it)];
      before.erase(std::find(before.begin(), before.end(), d.block));
      const std::vector<bool> leading = leading_to({goal});
      bool all_lead = true;
      for (std::size_t b = 0; b < size_; ++b) all_lead = all_lead && (goal_[b] != goal || leading[b]);
      if (!all_lead) before.push_back(d.block);
    }
  }

  void link() {
    const int end = static_cast<int>(size_);
    next_.resize(size_ + 1);
    block_lists before(size_ + 1);
    const auto add = [&](int from, int to) {
      next_[at(from)].push_back(to);
      before[at(to)].push_back(from);
    };
    for (int b = 0; b < end; ++b) {
      for (const int s : ways(b))
        if (goal_[at(s)] == goal_[at(b)] && std::count(before_[at(s)].begin(), before_[at(s)].end(), b) != 0)
          add(b, s);
      if (goal_[at(b)] == b) before[at(end)].push_back(b);
    }
    block_lists next = next_;
    for (const int b : before[at(end)]) next[at(b)].push_back(end);
    tree_.emplace(before, next, end);
  }

  const function& f_;
  std::size_t size_;
  block_lists before_;
  std::vector<int> barriers_;
  std::vector<bool> barrier_ahead_;
  std::vector<dilemma> dilemmas_;
  std::vector<int> goal_;  // the block where its threads end
  block_lists next_;
  std::optional<dominator_tree> tree_;
};

}  // namespace gt200::ptx
