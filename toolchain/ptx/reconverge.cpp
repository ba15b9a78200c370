#include <algorithm>
#include <map>

#include "toolchain/ptx/passes.h"

namespace gt200::ptx {
namespace {

using block_set = std::vector<bool>;

// dominators[b][d]: every way from a root to b passes d.
std::vector<block_set> dominators(const std::vector<std::vector<int>>& before, const std::vector<int>& roots) {
  const std::size_t n = before.size();
  std::vector<block_set> result(n, block_set(n, true));
  for (const int r : roots) {
    result[static_cast<std::size_t>(r)].assign(n, false);
    result[static_cast<std::size_t>(r)][static_cast<std::size_t>(r)] = true;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t b = 0; b < n; ++b) {
      if (std::find(roots.begin(), roots.end(), static_cast<int>(b)) != roots.end()) continue;
      block_set next(n, !before[b].empty());
      for (const int p : before[b])
        for (std::size_t k = 0; k < n; ++k) next[k] = next[k] && result[static_cast<std::size_t>(p)][k];
      next[b] = true;
      if (next != result[b]) {
        result[b] = std::move(next);
        changed = true;
      }
    }
  }
  return result;
}

// The strict dominator of b that all others dominate; -1 if there is none.
int immediate(const std::vector<block_set>& dominators, int b) {
  const auto& own = dominators[static_cast<std::size_t>(b)];
  const auto count = [](const block_set& s) { return std::count(s.begin(), s.end(), true); };
  int best = -1;
  for (std::size_t d = 0; d < own.size(); ++d) {
    if (!own[d] || static_cast<int>(d) == b) continue;
    if (best < 0 || count(dominators[d]) > count(dominators[static_cast<std::size_t>(best)]))
      best = static_cast<int>(d);
  }
  return best;
}

class join_placement {
 public:
  explicit join_placement(machine_function& f) : f_(f) {}

  void run() {
    analyse();
    std::map<int, std::vector<int>> meeting;  // join block -> branches
    for (std::size_t b = 0; b < size_; ++b) {
      const block& branch = f_.blocks[b];
      if (!live_[b] || branch.end != ending::branch || branch.is_uniform || branch.taken == branch.next) continue;
      const int join = immediate(after_, static_cast<int>(b));
      if (join >= 0 && join != exit_) meeting[join].push_back(static_cast<int>(b));
    }
    for (const auto& [join, branches] : meeting) place(join, branches);
  }

 private:
  void analyse() {
    size_ = f_.blocks.size();
    exit_ = static_cast<int>(size_);
    live_.assign(size_, false);
    std::vector<int> work = {0};
    while (!work.empty()) {
      const int b = work.back();
      work.pop_back();
      if (live_[static_cast<std::size_t>(b)]) continue;
      live_[static_cast<std::size_t>(b)] = true;
      for (const int s : successors(f_.blocks[static_cast<std::size_t>(b)])) work.push_back(s);
    }
    std::vector<std::vector<int>> before(size_ + 1);
    std::vector<std::vector<int>> behind(size_ + 1);
    for (std::size_t b = 0; b < size_; ++b) {
      if (!live_[b]) continue;
      std::vector<int> next = successors(f_.blocks[b]);
      if (f_.blocks[b].end == ending::exit) next = {exit_};
      for (const int s : next) {
        before[static_cast<std::size_t>(s)].push_back(static_cast<int>(b));
        behind[b].push_back(s);
      }
    }
    reach_ = behind;
    before_ = dominators(before, {0});
    after_ = dominators(behind, {exit_});
  }

  // Blocks on ways from `from` to `to`, without `to`; those of `from` itself only if it is reached again.
  block_set between(int from, int to) const {
    block_set seen(size_ + 1, false);
    std::vector<int> work = reach_[static_cast<std::size_t>(from)];
    while (!work.empty()) {
      const int b = work.back();
      work.pop_back();
      if (b == to || seen[static_cast<std::size_t>(b)]) continue;
      seen[static_cast<std::size_t>(b)] = true;
      for (const int s : reach_[static_cast<std::size_t>(b)]) work.push_back(s);
    }
    return seen;
  }

  bool serves(int head, int join, const block_set& region) const {
    if (!after_[static_cast<std::size_t>(head)][static_cast<std::size_t>(join)] || head == join) return false;
    if (region[static_cast<std::size_t>(head)]) return false;  // a loop that the join ends
    for (std::size_t b = 0; b < size_; ++b)
      if (region[b] && !before_[b][static_cast<std::size_t>(head)]) return false;
    return true;
  }

  void place(int join, const std::vector<int>& branches) {
    // The nearest block that dominates all branches, then outwards until it serves.
    int head = branches.front();
    const auto dominates_all = [&](int h) {
      return std::all_of(branches.begin(), branches.end(),
                         [&](int b) { return before_[static_cast<std::size_t>(b)][static_cast<std::size_t>(h)]; });
    };
    while (head >= 0 && !(dominates_all(head) && serves(head, join, between(head, join))))
      head = immediate(before_, head);
    if (head < 0) return;  // the threads meet at the end of the program at the latest
    block_set region = between(head, join);
    region[static_cast<std::size_t>(head)] = true;
    const int meeting = static_cast<int>(f_.blocks.size());
    block made;
    made.joins = true;
    made.end = ending::jump;
    made.next = join;
    made.line = f_.blocks[static_cast<std::size_t>(join)].line;
    f_.blocks.push_back(made);
    for (std::size_t b = 0; b < size_; ++b) {
      if (!region[b]) continue;
      block& from = f_.blocks[b];
      // Ways through joins of inner regions lead on from those joins.
      if (from.next == join) from.next = meeting;
      if (from.taken == join) from.taken = meeting;
    }
    for (std::size_t b = size_; b + 1 < f_.blocks.size(); ++b) {
      block& inner = f_.blocks[b];
      if (inner.next == join && region[static_cast<std::size_t>(owner_[b - size_])]) inner.next = meeting;
    }
    owner_.push_back(head);
    // What the threads reach last is announced first. All joins of a head post-dominate it, hence one another.
    std::vector<int>& announced = f_.blocks[static_cast<std::size_t>(head)].announces;
    const auto inner = std::find_if(announced.begin(), announced.end(), [&](int m) {
      return after_[join_of_[static_cast<std::size_t>(m) - size_]][static_cast<std::size_t>(join)];
    });
    announced.insert(inner, meeting);
    join_of_.push_back(static_cast<std::size_t>(join));
  }

  machine_function& f_;
  std::size_t size_ = 0;
  int exit_ = 0;
  block_set live_;
  std::vector<std::vector<int>> reach_;
  std::vector<block_set> before_;
  std::vector<block_set> after_;
  std::vector<int> owner_;            // head of the region of each join block made
  std::vector<std::size_t> join_of_;  // the block where its threads meet
};

}  // namespace

void place_joins(machine_function& f) { join_placement(f).run(); }

}  // namespace gt200::ptx
