// The flow of control: blocks that nothing reaches, blocks that follow one another, and short branches that become
// guards. The namespace of a target has for the last:
//
//   can_guard(operation)       it may get a guard
//   is_harmless(operation)     has no effect in threads that should not execute it, as long as its result stays in
//                              the block
//   guard_with(operation, condition, when)   executes it only where the condition is `when`
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "toolchain/ptx/machine/liveness.h"

namespace gt200::ptx {

template <class function>
void remove_unreachable(function& f) {
  std::vector<bool> reached(f.blocks.size());
  std::vector<int> work = {0};
  while (!work.empty()) {
    const int b = work.back();
    work.pop_back();
    if (reached[static_cast<std::size_t>(b)]) continue;
    reached[static_cast<std::size_t>(b)] = true;
    for (const int s : successors(f.blocks[static_cast<std::size_t>(b)])) work.push_back(s);
  }
  for (std::size_t b = 0; b < reached.size(); ++b)
    if (!reached[b]) f.blocks[b] = {};
}

// Follows empty blocks to a block that ends the threads; otherwise returns b itself. Empty blocks on other ways
// stay: a loop may announce its join there.
template <class function>
int end_behind(const function& f, int b) {
  int to = b;
  for (std::size_t steps = 0; steps < f.blocks.size(); ++steps) {
    const auto& here = f.blocks[static_cast<std::size_t>(to)];
    if (ends_threads(here)) return to;
    if (!here.code.empty() || here.end != ending::jump) break;
    to = here.next;
  }
  return b;
}

// Merges a block into its only predecessor, and shortens ways to the end of the program.
template <class function>
void join_blocks(function& f) {
  using block = typename function::block;
  for (block& b : f.blocks) {
    if (b.end == ending::exit) continue;
    b.next = end_behind(f, b.next);
    if (b.end == ending::branch) b.taken = end_behind(f, b.taken);
    if (b.end == ending::branch && b.taken == b.next) {
      b.end = ending::jump;
      b.taken = b.condition = -1;
    }
    if (b.end == ending::jump && ends_threads(f.blocks[static_cast<std::size_t>(b.next)])) b.end = ending::exit;
  }
  remove_unreachable(f);
  const std::vector<std::vector<int>> before = predecessors(f);
  for (std::size_t k = 0; k < f.blocks.size(); ++k) {
    block& b = f.blocks[k];
    while (b.end == ending::jump && b.next != 0 && b.next != static_cast<int>(k) &&
           before[static_cast<std::size_t>(b.next)].size() == 1) {
      block follower = std::move(f.blocks[static_cast<std::size_t>(b.next)]);
      f.blocks[static_cast<std::size_t>(b.next)] = {};
      follower.code.insert(follower.code.begin(), b.code.begin(), b.code.end());
      b = std::move(follower);
    }
  }
}

// ptxas: 4 instructions, 7 where threads of a warp are likely to disagree. Unless the branch is marked uniform, the
// condition here always depends on data or on the thread.
inline constexpr std::size_t longest_uniform_side = 4;
inline constexpr std::size_t longest_divergent_side = 7;

// Turns short sides of branches into guarded operations.
template <class function>
class branch_converter {
 public:
  using block = typename function::block;
  using operation = typename function::operation;

  explicit branch_converter(function& f) : f_(f) {}

  // A branch may become possible when the block behind it has taken in its own side: the search goes on from there.
  void run() {
    before_ = predecessors(f_);
    for (std::size_t b = 0; b < f_.blocks.size();) {
      if (!convert(b)) {
        ++b;
        continue;
      }
      for (const int p : before_[b]) b = std::min(b, static_cast<std::size_t>(p));
    }
  }

 private:
  bool convert(std::size_t b) {
    const block& head = f_.blocks[b];
    if (head.end != ending::branch || head.taken == head.next) return false;
    const std::size_t max_operations = head.is_uniform ? longest_uniform_side : longest_divergent_side;
    // The side is skipped when the branch is taken, or when it is not.
    if (is_side(head.next, head.taken, head, max_operations))
      guard(b, head.next, !head.on_false, head.taken);
    else if (is_side(head.taken, head.next, head, max_operations))
      guard(b, head.taken, head.on_false, head.next);
    else
      return false;
    return true;
  }

  // True if the branch alone leads to the block, the block leads to `end`, and its operations can be guarded.
  bool is_side(int side, int end, const block& head, std::size_t max_operations) const {
    const block& s = f_.blocks[static_cast<std::size_t>(side)];
    return s.end == ending::jump && s.next == end && side != end &&
           before_[static_cast<std::size_t>(side)].size() == 1 && s.code.size() <= max_operations &&
           std::all_of(s.code.begin(), s.code.end(), [&](const operation& o) {
             return can_guard(o) && !defines(o, {head.condition, 0});
           });
  }

  // `when`: the condition value that skips the side.
  void guard(std::size_t b, int side, bool when, int end) {
    if (!live_) live_.emplace(f_);
    const bit_set needed = live_->live_out(static_cast<std::size_t>(side));
    bool has_guard = false;
    block& head = f_.blocks[b];
    block& s = f_.blocks[static_cast<std::size_t>(side)];
    for (operation& o : s.code) {
      bool stays = o.destination.reg >= 0;
      for_each_definition(o, [&](word_ref r) { stays = stays && !needed.test(live_->node(r)); });
      if (!stays || !is_harmless(o)) {
        guard_with(o, head.condition, !when);
        has_guard = true;
      }
      head.code.push_back(o);
    }
    s = {};
    head.end = ending::jump;
    head.next = end;
    head.taken = -1;
    head.condition = -1;
    std::vector<int>& before_end = before_[static_cast<std::size_t>(end)];
    before_end.erase(std::find(before_end.begin(), before_end.end(), side));
    before_[static_cast<std::size_t>(side)].clear();
    // Without a guard the condition is needed no longer.
    if (has_guard)
      live_->update(b, before_);
    else
      live_.reset();
  }

  static bool defines(const operation& o, word_ref r) {
    bool found = false;
    for_each_definition(o, [&](word_ref d) { found = found || d == r; });
    return found;
  }

  function& f_;
  std::vector<std::vector<int>> before_;
  std::optional<basic_liveness<function>> live_;
};

}  // namespace gt200::ptx
