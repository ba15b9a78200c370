// Graph colouring on words. Copies are coalesced (also into the words of pairs and quads); then every group of
// words gets the lowest aligned run of registers that no neighbour has.
#pragma once

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "toolchain/ptx/machine/liveness.h"

namespace gt200::ptx {

// Rules of a target for colouring. A namespace of a target also has for_each_limit(operation, visitor): the
// registers that an operation can only name below some number.
struct colour_rules {
  int max_registers = 0;  // general registers that may be used
  int condition_registers = 4;
  int address_registers = 4;
  unsigned full_occupancy = 16;  // with more registers, an SM cannot hold its maximum number of threads
};

template <class function>
class colourer {
 public:
  using block = typename function::block;
  using operation = typename function::operation;

  colourer(const function& f, const colour_rules& rules)
      : f_(f), live_(f), rules_(rules), max_registers_(rules.max_registers) {}

  allocation run() {
    make_groups();
    find_conflicts();
    coalesce();
    std::vector<std::size_t> order;
    for (std::size_t r = 0; r < parent_.size(); ++r)
      if (root(r) == r && (groups_[r].fixed >= 0 || is_used(r))) order.push_back(r);
    colour(order);
    if (uncoloured_ < 0 && coloured().registers <= rules_.full_occupancy) return coloured();
    // Try another order: it may take fewer registers.
    const allocation first = uncoloured_ < 0 ? coloured() : allocation{};
    const int failed = uncoloured_;
    colour(smallest_last(order));
    if (uncoloured_ < 0) {
      const allocation second = coloured();
      return failed >= 0 || second.registers < first.registers ? second : first;
    }
    if (failed < 0) return first;
    // Registers whose halves are used have fewer to choose from, and the other groups left none of these: colour
    // them first.
    const auto is_limited = [&](std::size_t r) {
      return groups_[r].limit < max_registers_ && limit_of(r) == groups_[r].limit;
    };
    if (std::any_of(order.begin(), order.end(), is_limited)) {
      std::stable_partition(order.begin(), order.end(), is_limited);
      colour(order, false);
      if (uncoloured_ < 0) return coloured();
    }
    uncoloured_ = failed;
    allocation result;
    result.uncoloured = uncoloured_;
    result.rivals = rivals();
    for (const int r : result.rivals) result.degrees.push_back(degree(static_cast<std::size_t>(r)));
    return result;
  }

 private:
  static constexpr int unlimited = 1 << 16;

  struct group {
    int words = 1;
    int colour = -1;
    int limit = unlimited;
    int fixed = -1;
  };

  void make_groups() {
    parent_.resize(f_.registers.size());
    members_.resize(f_.registers.size());
    place_.assign(f_.registers.size(), 0);
    groups_.resize(f_.registers.size());
    appears_.assign(f_.registers.size(), false);
    for (std::size_t r = 0; r < parent_.size(); ++r) {
      parent_[r] = r;
      members_[r] = {r};
      groups_[r].words = f_.registers[r].words;
      groups_[r].fixed = f_.registers[r].fixed;
      if (f_.registers[r].kind == register_class::general) groups_[r].limit = max_registers_;
    }
    for (const block& b : f_.blocks) {
      for (const operation& o : b.code) {
        const auto see = [&](word_ref w) { appears_[static_cast<std::size_t>(w.reg)] = true; };
        for_each_use(o, see);
        for_each_definition(o, see);
        for_each_limit(o, [&](word_ref r, int below) {
          int& limit = groups_[static_cast<std::size_t>(r.reg)].limit;
          limit = std::min(limit, below);
        });
      }
    }
  }

  void conflict(std::size_t a, std::size_t b) {
    if (a == b) return;
    conflicts_[a].set(b);
    conflicts_[b].set(a);
  }

  void find_conflicts() {
    conflicts_.assign(live_.count(), bit_set(live_.count()));
    for (std::size_t b = 0; b < f_.blocks.size(); ++b) {
      bit_set live = live_.live_out(b);
      for (auto o = f_.blocks[b].code.rbegin(); o != f_.blocks[b].code.rend(); ++o) {
        std::vector<std::size_t> written;
        for_each_definition(*o, [&](word_ref r) { written.push_back(live_.node(r)); });
        // Source and destination of a copy may share a register.
        const bool copy = is_copy(*o);
        for (const std::size_t w : written) {
          live.for_each([&](std::size_t l) {
            if (!copy || l != live_.node(copied_word(*o))) conflict(w, l);
          });
          for (const std::size_t v : written) conflict(w, v);
        }
        live_.step_back(*o, live);
      }
      if (b == 0) {  // words live at the start conflict with the fixed register, even if never written
        for (std::size_t r = 0; r < f_.registers.size(); ++r)
          if (f_.registers[r].fixed >= 0) live.for_each([&](std::size_t l) { conflict(live_.first(r), l); });
      }
    }
  }

  std::size_t root(std::size_t r) const { return parent_[r]; }

  void coalesce() {
    for (const block& b : f_.blocks)
      for (const operation& o : b.code)
        if (is_copy(o)) merge(o.destination, copied_word(o));
  }

  void merge(word_ref a, word_ref b) {
    std::size_t large = root(static_cast<std::size_t>(a.reg));
    std::size_t small = root(static_cast<std::size_t>(b.reg));
    if (large == small) return;
    int at_large = place_[static_cast<std::size_t>(a.reg)] + a.word;
    int at_small = place_[static_cast<std::size_t>(b.reg)] + b.word;
    if (groups_[large].words < groups_[small].words) {
      std::swap(large, small);
      std::swap(at_large, at_small);
    }
    const int shift = at_large - at_small;
    const int words = groups_[small].words;
    if (shift < 0 || shift % words != 0 || shift + words > groups_[large].words) return;
    if (groups_[large].fixed >= 0 || groups_[small].fixed >= 0) return;
    for (int w = 0; w < words; ++w)
      if (conflicts_[live_.first(large) + static_cast<std::size_t>(shift + w)].test(live_.first(small) +
                                                                                    static_cast<std::size_t>(w)))
        return;
    for (int w = 0; w < words; ++w) {
      const std::size_t into = live_.first(large) + static_cast<std::size_t>(shift + w);
      const std::size_t from = live_.first(small) + static_cast<std::size_t>(w);
      conflicts_[into].include(conflicts_[from]);
      conflicts_[from].for_each([&](std::size_t l) { conflicts_[l].set(into); });
    }
    groups_[large].limit = std::min(groups_[large].limit, groups_[small].limit);
    for (const std::size_t r : members_[small]) {
      place_[r] += shift;
      parent_[r] = large;
    }
    members_[large].insert(members_[large].end(), members_[small].begin(), members_[small].end());
    members_[small].clear();
  }

  int limit_of(std::size_t r) const {
    switch (f_.registers[r].kind) {
      case register_class::condition: return rules_.condition_registers;
      case register_class::address: return rules_.address_registers;
      case register_class::general: break;
    }
    return groups_[r].limit;
  }

  bool is_used(std::size_t r) const {
    return std::any_of(members_[r].begin(), members_[r].end(), [&](std::size_t k) { return appears_[k]; });
  }

  allocation coloured() const {
    allocation result;
    result.assigned.resize(f_.registers.size());
    result.registers = 1;
    for (std::size_t r = 0; r < f_.registers.size(); ++r) {
      const group& g = groups_[root(r)];
      result.assigned[r] = g.colour < 0 ? 0 : g.colour + place_[r];
      if (f_.registers[r].kind == register_class::general && g.colour >= 0 && appears_[r])
        result.registers = std::max(result.registers, static_cast<unsigned>(g.colour + g.words));
    }
    return result;
  }

  // Smallest-last order (Matula and Beck): repeatedly removes the group with the fewest neighbouring words among
  // those left.
  std::vector<std::size_t> smallest_last(const std::vector<std::size_t>& groups) const {
    constexpr std::size_t none = static_cast<std::size_t>(-1);
    std::vector<std::size_t> number(parent_.size(), none);
    for (std::size_t k = 0; k < groups.size(); ++k) number[groups[k]] = k;
    std::vector<std::vector<std::size_t>> beside(groups.size());
    std::vector<int> words(groups.size());
    for (std::size_t k = 0; k < groups.size(); ++k) {
      const std::size_t r = groups[k];
      bit_set seen(groups.size());
      for (int w = 0; w < groups_[r].words; ++w)
        conflicts_[live_.first(r) + static_cast<std::size_t>(w)].for_each([&](std::size_t l) {
          const std::size_t other = number[root(live_.owner(l))];
          if (other == none || other == k || !same_file(groups[other], r) || seen.test(other)) return;
          seen.set(other);
          beside[k].push_back(other);
          words[k] += groups_[groups[other]].words;
        });
    }
    std::set<std::pair<int, std::size_t>> left;
    for (std::size_t k = 0; k < groups.size(); ++k) left.emplace(words[k], k);
    std::vector<std::size_t> order;
    while (!left.empty()) {
      const std::size_t least = left.begin()->second;
      left.erase(left.begin());
      order.push_back(groups[least]);
      for (const std::size_t other : beside[least]) {
        if (left.erase({words[other], other}) == 0) continue;
        words[other] -= groups_[groups[least]].words;
        left.emplace(words[other], other);
      }
    }
    std::reverse(order.begin(), order.end());
    return order;
  }

  // Colours fixed groups first; then those with the most words if `by_words`, else in the given order.
  void colour(std::vector<std::size_t> order, bool by_words = true) {
    uncoloured_ = -1;
    for (group& g : groups_) g.colour = -1;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      const bool a_fixed = groups_[a].fixed >= 0;
      const bool b_fixed = groups_[b].fixed >= 0;
      if (a_fixed != b_fixed) return a_fixed;
      return by_words && groups_[a].words > groups_[b].words;
    });
    std::vector<int> colour_of(live_.count(), -1);  // by word of a group
    for (const std::size_t r : order) {
      group& g = groups_[r];
      std::vector<bool> taken(static_cast<std::size_t>(limit_of(r) + g.words) * static_cast<std::size_t>(g.words));
      const auto slot = [&](int base, int w) { return static_cast<std::size_t>(base * g.words + w); };
      for (int w = 0; w < g.words; ++w)
        conflicts_[live_.first(r) + static_cast<std::size_t>(w)].for_each([&](std::size_t l) {
          const int base = colour_of[l] - w;
          if (base >= 0 && base <= limit_of(r) && same_file(live_.owner(l), r)) taken[slot(base, w)] = true;
        });
      const auto fits = [&](int base) {
        for (int w = 0; w < g.words; ++w)
          if (taken[slot(base, w)]) return false;
        return true;
      };
      for (int base = std::max(g.fixed, 0); base + g.words <= limit_of(r) && g.colour < 0; base += g.words) {
        if (fits(base)) g.colour = base;
        if (g.fixed >= 0) break;
      }
      if (g.colour < 0) {
        uncoloured_ = static_cast<int>(r);
        return;
      }
      for (int w = 0; w < g.words; ++w) colour_of[live_.first(r) + static_cast<std::size_t>(w)] = g.colour + w;
    }
  }

  bool same_file(std::size_t a, std::size_t b) const { return f_.registers[a].kind == f_.registers[b].kind; }

  std::vector<int> rivals() const {
    const auto failed = static_cast<std::size_t>(uncoloured_);
    std::vector<bool> conflicting(parent_.size());
    conflicting[failed] = true;
    for (int w = 0; w < groups_[failed].words; ++w)
      conflicts_[live_.first(failed) + static_cast<std::size_t>(w)].for_each(
          [&](std::size_t l) { conflicting[root(live_.owner(l))] = true; });
    std::vector<int> result;
    for (std::size_t r = 0; r < parent_.size(); ++r)
      if (appears_[r] && conflicting[root(r)] && same_file(r, failed)) result.push_back(static_cast<int>(r));
    return result;
  }

  std::size_t degree(std::size_t r) const {
    std::size_t conflicts = 0;
    for (std::size_t w = 0; w < f_.registers[r].words; ++w)
      conflicts_[live_.first(r) + w].for_each([&](std::size_t) { ++conflicts; });
    return conflicts;
  }

  const function& f_;
  basic_liveness<function> live_;
  colour_rules rules_;
  int max_registers_;
  std::vector<bool> appears_;
  std::vector<bit_set> conflicts_;
  std::vector<std::size_t> parent_;                // register whose group this one belongs to
  std::vector<std::vector<std::size_t>> members_;  // of a group
  std::vector<int> place_;                         // first word of a register within its group
  std::vector<group> groups_;
  int uncoloured_ = -1;
};

}  // namespace gt200::ptx
