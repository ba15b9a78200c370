// Convergence barriers B0 to B15 for the regions in which threads diverge.
//
// A barrier belongs to the warp: bssy by lanes that have diverged from others overwrites it for all. So a region
// gets one only if its lanes are together at its head whenever they come there, and no other region that lanes can
// be in at the same time has the same one. Lanes of a region without a barrier meet where the next outer region
// does. If 16 do not suffice, inner regions go without: a vote behind an outer one is that of all its lanes.
//
// A region goes without, too, if lanes in it wait in a loop for what lanes behind it will write: a lock, a flag.
#include <algorithm>
#include <map>
#include <utility>

#include "toolchain/ptx/machine/meetings.h"
#include "toolchain/ptx/volta/passes.h"

namespace gt200::ptx::volta {
namespace {

struct region {
  int head = -1;
  int join = -1;
  std::vector<bool> blocks;  // in which the barrier holds lanes
};

// Blocks that control reaches from `from` on without passing `end`.
std::vector<bool> reached(const machine_function& f, int from, int end) {
  std::vector<bool> seen(f.blocks.size());
  std::vector<int> work = {from};
  while (!work.empty()) {
    const int b = work.back();
    work.pop_back();
    if (b == end || seen[static_cast<std::size_t>(b)]) continue;
    seen[static_cast<std::size_t>(b)] = true;
    for (const int s : successors(f.blocks[static_cast<std::size_t>(b)])) work.push_back(s);
  }
  return seen;
}

class barrier_numbering {
 public:
  explicit barrier_numbering(machine_function& f) : f_(f), meetings_(f) {
    for (std::size_t b = 0; b < f.blocks.size(); ++b)
      for (const reconvergence_point& m : f.blocks[b].announces) {
        const int head = static_cast<int>(b);
        regions_.push_back({head, m.block, reached(f, head, m.block)});
      }
  }

  std::vector<int> run() {
    drop_those_that_hold_back();
    while (drop_one()) {
    }
    return numbers();
  }

 private:
  block& at(int b) { return f_.blocks[static_cast<std::size_t>(b)]; }

  // The block where the lanes that a branch separates are together again, but for those that have ended; -1:
  // nowhere.
  int meeting_of(int branch) const {
    for (int b = meetings_.parent(branch); b >= 0; b = meetings_.parent(b))
      for (const region& r : regions_)
        if (r.join == b && r.blocks[static_cast<std::size_t>(branch)]) return b;
    return -1;
  }

  // For every branch on which lanes may diverge: the blocks that each side reaches before they meet.
  template <class action>
  void for_each_split(action act) const {
    for (std::size_t b = 0; b < f_.blocks.size(); ++b) {
      const block& branch = f_.blocks[b];
      if (branch.end != ending::branch || branch.is_uniform || branch.taken == branch.next) continue;
      const int end = meeting_of(static_cast<int>(b));
      act(reached_from(branch.taken, end), reached_from(branch.next, end));
    }
  }

  // Regions come and go, what control reaches stays.
  const std::vector<bool>& reached_from(int from, int end) const {
    const auto [known, is_new] = reached_.try_emplace({from, end});
    if (is_new) known->second = reached(f_, from, end);
    return known->second;
  }

  void drop(std::size_t k) {
    const region r = regions_[k];
    at(r.join).joins = false;
    auto& announced = at(r.head).announces;
    announced.erase(std::remove_if(announced.begin(), announced.end(),
                                   [&](const reconvergence_point& m) { return m.block == r.join; }),
                    announced.end());
    regions_.erase(regions_.begin() + static_cast<std::ptrdiff_t>(k));
  }

  // A thread that has left a loop, with the lock that others in it wait for, does not wait for them.
  void drop_those_that_hold_back() {
    const std::vector<std::vector<bool>> loops = waiting_loops(f_);
    for (std::size_t k = regions_.size(); k-- > 0;) {
      const region& r = regions_[k];
      const auto is_left_inside = [&](const std::vector<bool>& loop) {
        bool inside = false;
        for (std::size_t b = 0; b < loop.size(); ++b) inside = inside || (loop[b] && r.blocks[b]);
        return inside && !loop[static_cast<std::size_t>(r.join)];
      };
      if (std::any_of(loops.begin(), loops.end(), is_left_inside) && writes_before_barrier(f_, r.join)) drop(k);
    }
  }

  // A region whose head lanes reach from both sides of a branch, at different times.
  bool drop_one() {
    std::size_t found = regions_.size();
    for_each_split([&](const std::vector<bool>& taken, const std::vector<bool>& next) {
      for (std::size_t k = 0; k < regions_.size() && found == regions_.size(); ++k) {
        const auto head = static_cast<std::size_t>(regions_[k].head);
        if (taken[head] && next[head]) found = k;
      }
    });
    if (found == regions_.size()) return false;
    drop(found);
    return true;
  }

  std::vector<int> numbers() {
    // Inner regions first.
    const auto size = [](const region& r) { return std::count(r.blocks.begin(), r.blocks.end(), true); };
    std::stable_sort(regions_.begin(), regions_.end(),
                     [&](const region& a, const region& b) { return size(a) < size(b); });
    const std::vector<std::vector<bool>> conflicts = conflicts_of_regions();
    std::vector<int> number(f_.blocks.size(), -1);
    std::vector<int> of_region;
    std::size_t without = regions_.size();  // the first region without a barrier
    for (std::size_t k = 0; k < regions_.size(); ++k) {
      std::vector<bool> taken(isa::volta::convergence_barriers);
      for (std::size_t other = 0; other < k; ++other)
        if (conflicts[k][other] && of_region[other] >= 0) taken[static_cast<std::size_t>(of_region[other])] = true;
      const auto free = std::find(taken.begin(), taken.end(), false);
      of_region.push_back(free != taken.end() ? static_cast<int>(free - taken.begin()) : -1);
      number[static_cast<std::size_t>(regions_[k].join)] = of_region.back();
      if (of_region.back() < 0) {
        without = k;
        break;
      }
    }
    if (without == regions_.size()) return number;
    // One of the regions that took them makes room, the innermost. Its lanes stay apart longer, which concerns
    // others.
    std::size_t inner = 0;
    while (inner != without && !conflicts[inner][without]) ++inner;
    drop(inner);
    return run();
  }

  std::vector<std::vector<bool>> conflicts_of_regions() const {
    const std::size_t n = regions_.size();
    std::vector<std::vector<bool>> conflicts(n, std::vector<bool>(n));
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b)
        for (std::size_t k = 0; k < f_.blocks.size() && !conflicts[a][b]; ++k)
          conflicts[a][b] = regions_[a].blocks[k] && regions_[b].blocks[k];
    for_each_split([&](const std::vector<bool>& taken, const std::vector<bool>& next) {
      for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < n; ++b) {
          const auto head_a = static_cast<std::size_t>(regions_[a].head);
          const auto head_b = static_cast<std::size_t>(regions_[b].head);
          if ((taken[head_a] && next[head_b]) || (next[head_a] && taken[head_b])) conflicts[a][b] = true;
        }
    });
    return conflicts;
  }

  machine_function& f_;
  meetings<machine_function> meetings_;
  std::vector<region> regions_;
  mutable std::map<std::pair<int, int>, std::vector<bool>> reached_;
};

}  // namespace

std::vector<int> number_barriers(machine_function& f) { return barrier_numbering(f).run(); }

}  // namespace gt200::ptx::volta
