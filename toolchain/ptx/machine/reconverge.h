// Announces (joinat) the block where the two ways of a branch reconverge, and makes a block where they meet. The
// block with the announcement dominates all branches it serves and lies outside loops that the join ends, so that
// every way from it reaches the join exactly once, or ends.
//
// Threads that end leave their region: the divergence state of every target drops them, and the others go on when
// they have all arrived. A branch with one way that only ends (meetings.h) has a join at the start of the other way
// if a barrier is ahead: the threads that end must have done so when the others come to it. Without a barrier
// nobody has to wait for them. Threads that end at once need no join.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "toolchain/ptx/machine/dominators.h"
#include "toolchain/ptx/machine/function.h"
#include "toolchain/ptx/machine/meetings.h"

namespace gt200::ptx {

template <class function>
class join_placement {
 public:
  using block = typename function::block;
  using operation = typename function::operation;
  using block_set = std::vector<bool>;

  // `uses_breaks`: threads that leave a loop at different times do so by breaks (announced as such).
  explicit join_placement(function& f, bool uses_breaks = true) : f_(f), uses_breaks_(uses_breaks) {}

  void run() {
    analyse();
    std::map<int, std::vector<int>> meeting;  // join block -> branches
    for (std::size_t b = 0; b < size_; ++b) {
      const block& branch = f_.blocks[b];
      if (!live_[b] || branch.end != ending::branch || branch.is_uniform || branch.taken == branch.next) continue;
      if (ends_threads(f_.blocks[static_cast<std::size_t>(branch.taken)]) ||
          ends_threads(f_.blocks[static_cast<std::size_t>(branch.next)]))
        continue;
      const int join = after_->parent(static_cast<int>(b));
      if (join < 0) continue;
      const bool both_go_on = after_->ways_on(static_cast<int>(b)).size() == 2;
      if (both_go_on || after_->has_barrier_ahead(join)) meeting[join].push_back(static_cast<int>(b));
    }
    for (const auto& [join, branches] : meeting) place(join, branches);
  }

 private:
  void analyse() {
    size_ = f_.blocks.size();
    live_.assign(size_, false);
    std::vector<int> work = {0};
    while (!work.empty()) {
      const int b = work.back();
      work.pop_back();
      if (live_[static_cast<std::size_t>(b)]) continue;
      live_[static_cast<std::size_t>(b)] = true;
      for (const int s : successors(f_.blocks[static_cast<std::size_t>(b)])) work.push_back(s);
    }
    std::vector<std::vector<int>> behind(size_);
    predecessors_.resize(size_);
    for (std::size_t b = 0; b < size_; ++b) {
      if (!live_[b]) continue;
      behind[b] = successors(f_.blocks[b]);
      for (const int s : behind[b]) predecessors_[static_cast<std::size_t>(s)].push_back(static_cast<int>(b));
    }
    before_.emplace(behind, predecessors_, 0);
    after_.emplace(f_);
  }

  // Blocks on ways from `from` to `to`, without `to` and without ways that only end. Contains `from` only if it can
  // be reached again.
  block_set between(int from, int to) const {
    block_set seen(size_, false);
    std::vector<int> work = after_->ways_on(from);
    while (!work.empty()) {
      const int b = work.back();
      work.pop_back();
      if (b == to || seen[static_cast<std::size_t>(b)]) continue;
      seen[static_cast<std::size_t>(b)] = true;
      for (const int s : after_->ways_on(b)) work.push_back(s);
    }
    return seen;
  }

  bool serves(int head, int join, const block_set& region) const {
    if (!after_->dominates(join, head) || head == join) return false;
    if (region[static_cast<std::size_t>(head)]) return false;  // a loop that the join ends
    for (std::size_t b = 0; b < size_; ++b) {
      if (!region[b]) continue;
      if (!before_->dominates(head, static_cast<int>(b))) return false;
      // A loop around the region must not lead into it past the head either.
      for (const int p : predecessors_[b])
        if (p != head && !region[static_cast<std::size_t>(p)]) return false;
    }
    return true;
  }

  void place(int join, const std::vector<int>& branches) {
    // Starts at the nearest block that dominates all branches and moves outwards until a block serves.
    int head = branches.front();
    const auto dominates_all = [&](int h) {
      return std::all_of(branches.begin(), branches.end(), [&](int b) { return before_->dominates(h, b); });
    };
    while (head >= 0 && !(dominates_all(head) && serves(head, join, between(head, join))))
      head = before_->parent(head);
    if (head < 0) return;  // the threads reconverge at the end of the program at the latest
    block_set region = between(head, join);
    region[static_cast<std::size_t>(head)] = true;
    if (uses_breaks_ && leaves_loop(join, region)) return place_break(head, join, region);
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
      // Ways through joins of inner regions continue from those joins.
      if (!after_->goes_on(static_cast<int>(b), join)) continue;
      if (from.next == join) from.next = meeting;
      if (from.taken == join) from.taken = meeting;
    }
    for (std::size_t b = size_; b + 1 < f_.blocks.size(); ++b) {
      block& inner = f_.blocks[b];
      if (inner.next == join && region[static_cast<std::size_t>(owner_[b - size_])]) inner.next = meeting;
    }
    owner_.push_back(head);
    announce(head, join, {meeting, false});
    join_of_.push_back(join);
  }

  // Announces the join that the threads reach last first. All joins of a head post-dominate it, and so one another.
  void announce(int head, int join, reconvergence_point place) {
    std::vector<reconvergence_point>& announced = f_.blocks[static_cast<std::size_t>(head)].announces;
    const auto inner = std::find_if(announced.begin(), announced.end(), [&](const reconvergence_point& m) {
      return after_->dominates(join, m.by_break ? m.block : join_of_[static_cast<std::size_t>(m.block) - size_]);
    });
    announced.insert(inner, place);
  }

  // True if threads leave a loop here at different times, other than where it starts again. A break then costs no
  // token for the threads that leave. Where the loop starts again, a break would need a branch beside it in every
  // round. The ways out of a region lead only to its join, so a break always leaves the innermost region with
  // breaks.
  bool leaves_loop(int join, const block_set& region) const {
    for (std::size_t b = 0; b < size_; ++b) {
      const block& from = f_.blocks[b];
      if (!region[b] || from.end != ending::branch || from.is_uniform ||
          !after_->goes_on(static_cast<int>(b), join))
        continue;
      const int other = skip_copies(from.taken == join ? from.next : from.taken);
      if (between(static_cast<int>(b), join)[b] && !before_->dominates(other, static_cast<int>(b))) return true;
    }
    return false;
  }

  // Copies on the way round a loop mostly disappear in register allocation.
  int skip_copies(int b) const {
    const block& way = f_.blocks[static_cast<std::size_t>(b)];
    return way.end == ending::jump &&
                   std::all_of(way.code.begin(), way.code.end(), [](const operation& o) { return is_copy(o); })
               ? way.next
               : b;
  }

  void place_break(int head, int join, const block_set& region) {
    for (std::size_t b = 0; b < f_.blocks.size(); ++b) {
      const auto at = b < size_ ? b : static_cast<std::size_t>(owner_[b - size_]);
      block& from = f_.blocks[b];
      if (!region[at] || from.end == ending::exit) continue;
      if (b < size_ && !after_->goes_on(static_cast<int>(b), join)) continue;
      from.breaks_to_next = from.breaks_to_next || from.next == join;
      from.breaks_to_taken = from.breaks_to_taken || (from.end == ending::branch && from.taken == join);
    }
    announce(head, join, {join, true});
  }

  function& f_;
  bool uses_breaks_;
  std::size_t size_ = 0;
  block_set live_;
  std::vector<std::vector<int>> predecessors_;
  std::optional<dominator_tree> before_;
  std::optional<meetings<function>> after_;
  std::vector<int> owner_;    // head of the region of each join block made here
  std::vector<int> join_of_;  // the block where its threads reconverge
};

}  // namespace gt200::ptx
