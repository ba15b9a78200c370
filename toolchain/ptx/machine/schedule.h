// Issues loads early: within its block, a load moves up past operations it does not depend on, together with the
// operations that compute its address, as long as the registers suffice. The namespace of a target has
//
//   is_plain_load(operation), loads_shared(operation)   loads that may move; those of shared memory
//   moves_with_a_load(operation)                        has no effect but its results: words, a carry, predicates
//   must_follow(operation, load)                        the load must not move in front of this operation
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "toolchain/ptx/machine/liveness.h"

namespace gt200::ptx {

struct schedule_rules {
  std::size_t max_words = 0;          // general words that may live at once, or as many as before
  std::size_t address_registers = 0;  // the same of registers of the class address
  // Shared memory answers soon, and other warps cover that time. A longer lead only takes registers (docs/ptx.md).
  std::size_t lead_of_shared_loads = 3;
};

// Schedules the operations of one block, given what is live after it.
template <class function>
class block_scheduler {
 public:
  using operation = typename function::operation;
  using liveness = basic_liveness<function>;

  block_scheduler(const function& f, const liveness& live, std::size_t b, const schedule_rules& rules)
      : f_(f), live_(live), rules_(rules), code_(f.blocks[b].code), behind_(live.count()) {
    live_.live_out(b).for_each([&](std::size_t node) {
      behind_[node] = true;
      count(at_end_, node, 1);
    });
    const pressure before = highest();
    limit_.general = std::max(rules.max_words, before.general);
    limit_.address = std::max(rules.address_registers, before.address);
  }

  std::vector<operation> run() {
    for (const bool shared : {false, true}) {
      for (unsigned depth = 0; depth <= max_chain_depth; ++depth) {
        const std::vector<unsigned> depths = depths_of_loads();
        // A load does not pass loads of its own depth or of a smaller one.
        std::size_t first = 0;
        for (std::size_t k = 0; k < code_.size(); ++k) {
          if (depths[k] > depth || !is_plain_load(code_[k]) || loads_shared(code_[k]) != shared) continue;
          if (depths[k] < depth) {
            first = k + 1;
            continue;
          }
          if (shared) first = std::max(first, k - std::min(k, rules_.lead_of_shared_loads));
          first = hoist(k, first) + 1;
        }
      }
    }
    return code_;
  }

 private:
  static constexpr unsigned max_chain_depth = 3;

  // General words and address registers that are live at once.
  struct pressure {
    std::size_t general = 0;
    std::size_t address = 0;
  };

  // For each operation, the longest chain of loads of this block that leads to its address.
  std::vector<unsigned> depths_of_loads() const {
    std::vector<unsigned> of_word(live_.count());
    std::vector<unsigned> result;
    for (const operation& o : code_) {
      unsigned depth = 0;
      for_each_source(o, [&](word_ref r) { depth = std::max(depth, of_word[live_.node(r)]); });
      result.push_back(std::min(depth, max_chain_depth));
      if (is_plain_load(o)) ++depth;
      for_each_destination(o, [&](word_ref r) { of_word[live_.node(r)] = depth; });
    }
    return result;
  }

  // Moves the load up; returns its new place.
  std::size_t hoist(std::size_t k, std::size_t first) {
    std::vector<std::size_t> moved = {k};  // the load and what it needs, last first
    std::size_t earliest = k;
    while (earliest > first && passes(earliest - 1, moved)) --earliest;
    if (moved.back() == earliest) earliest = skip_own(moved, earliest);
    const std::vector<operation> before = code_;
    for (std::size_t to = earliest; to < k; to += std::max<std::size_t>(1, (k - to) / 2)) {
      const std::size_t now = move(moved, k, to);
      if (now == k) break;
      const pressure p = highest();
      if (p.general <= limit_.general && p.address <= limit_.address) return now;
      code_ = before;
    }
    return k;
  }

  // Skips operations at the front that would move with the load: they can as well stay.
  static std::size_t skip_own(const std::vector<std::size_t>& moved, std::size_t at) {
    for (auto m = moved.rbegin(); m != moved.rend() && *m == at; ++m) ++at;
    return at;
  }

  // True if everything in `moved` can move before operation `at`, perhaps taking it along.
  bool passes(std::size_t at, std::vector<std::size_t>& moved) const {
    const operation& other = code_[at];
    bool needed = false;
    for (const std::size_t m : moved) {
      if (must_follow(other, code_[m])) return false;
      for_each_use(code_[m], [&](word_ref r) { needed = needed || writes(other, r); });
    }
    if (!needed) {
      for (const std::size_t m : moved) {
        bool free = true;
        for_each_definition(code_[m], [&](word_ref r) { free = free && !writes(other, r) && !reads(other, r); });
        if (!free) return false;
      }
      return true;
    }
    if (!moves_with_a_load(other)) return false;
    moved.push_back(at);
    return true;
  }

  static bool writes(const operation& o, word_ref r) {
    bool found = false;
    for_each_definition(o, [&](word_ref d) { found = found || d == r; });
    return found;
  }

  static bool reads(const operation& o, word_ref r) {
    bool found = false;
    for_each_use(o, [&](word_ref s) { found = found || s == r; });
    return found;
  }

  // Moves those of `moved` from `to` on to that place, in their order, the load last. Returns its place.
  std::size_t move(const std::vector<std::size_t>& moved, std::size_t k, std::size_t to) {
    std::vector<operation> front;
    std::vector<operation> rest;
    for (std::size_t j = to; j <= k; ++j) {
      const bool goes = std::find(moved.begin(), moved.end(), j) != moved.end();
      (goes ? front : rest).push_back(code_[j]);
    }
    const std::size_t now = to + front.size() - 1;
    front.insert(front.end(), rest.begin(), rest.end());
    std::copy(front.begin(), front.end(), code_.begin() + static_cast<std::ptrdiff_t>(to));
    return now;
  }

  void count(pressure& p, std::size_t node, std::ptrdiff_t change) const {
    const register_class kind = f_.registers[live_.owner(node)].kind;
    if (kind == register_class::general) p.general += static_cast<std::size_t>(change);
    if (kind == register_class::address) p.address += static_cast<std::size_t>(change);
  }

  pressure highest() const {
    pressure now = at_end_;
    pressure peak = now;
    std::vector<bool> alive = behind_;
    const auto change = [&](word_ref r, bool to) {
      const std::size_t node = live_.node(r);
      if (alive[node] == to) return;
      alive[node] = to;
      count(now, node, to ? 1 : -1);
    };
    const auto see = [&] {
      peak.general = std::max(peak.general, now.general);
      peak.address = std::max(peak.address, now.address);
    };
    for (auto o = code_.rbegin(); o != code_.rend(); ++o) {
      for_each_definition(*o, [&](word_ref r) { change(r, true); });
      see();
      if (!o->guarded()) for_each_definition(*o, [&](word_ref r) { change(r, false); });
      for_each_use(*o, [&](word_ref r) { change(r, true); });
      see();
    }
    return peak;
  }

  const function& f_;
  const liveness& live_;
  schedule_rules rules_;
  std::vector<operation> code_;
  std::vector<bool> behind_;  // the words that are live after the block
  pressure at_end_;
  pressure limit_;
};

template <class function>
void schedule_loads_of(function& f, const schedule_rules& rules) {
  constexpr std::size_t max_block_length = 3000;  // the run time of this pass grows with the square of the length
  const basic_liveness<function> live(f);
  for (std::size_t b = 0; b < f.blocks.size(); ++b)
    if (f.blocks[b].code.size() <= max_block_length)
      f.blocks[b].code = block_scheduler<function>(f, live, b, rules).run();
}

}  // namespace gt200::ptx
