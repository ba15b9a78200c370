// Graph colouring on words: copies are coalesced (also into the words of pairs and quads), then every group of
// words gets the lowest aligned run of registers that no neighbour has.
#include <algorithm>

#include "toolchain/ptx/passes.h"

namespace gt200::ptx {
namespace {

constexpr int condition_registers = 4;
constexpr int address_registers = 4;
constexpr int registers_with_halves = 64;

class bit_set {
 public:
  explicit bit_set(std::size_t n = 0) : words_((n + 63) / 64) {}
  void set(std::size_t k) { words_[k / 64] |= std::uint64_t{1} << (k % 64); }
  void reset(std::size_t k) { words_[k / 64] &= ~(std::uint64_t{1} << (k % 64)); }
  bool test(std::size_t k) const { return ((words_[k / 64] >> (k % 64)) & 1) != 0; }
  bool include(const bit_set& other) {
    bool changed = false;
    for (std::size_t k = 0; k < words_.size(); ++k) {
      const std::uint64_t joined = words_[k] | other.words_[k];
      changed = changed || joined != words_[k];
      words_[k] = joined;
    }
    return changed;
  }
  template <class visitor>
  void for_each(visitor visit) const {
    for (std::size_t k = 0; k < words_.size(); ++k)
      for (std::uint64_t w = words_[k]; w != 0; w &= w - 1)
        visit(64 * k + static_cast<std::size_t>(__builtin_ctzll(w)));
  }

 private:
  std::vector<std::uint64_t> words_;
};

class allocator {
 public:
  allocator(const machine_function& f, unsigned most) : f_(f), most_(static_cast<int>(most)) {}

  allocation run() {
    number_words();
    find_live();
    find_conflicts();
    coalesce();
    colour();
    allocation result;
    if (without_room_ >= 0) {
      result.without_room = without_room_;
      result.rivals = rivals();
      return result;
    }
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

 private:
  struct group {
    int words = 1;
    int colour = -1;
    int limit = isa::max_gpr;
    int fixed = -1;
  };

  void number_words() {
    for (const virtual_register& r : f_.registers) {
      first_.push_back(count_);
      count_ += r.words;
    }
    parent_.resize(f_.registers.size());
    place_.assign(f_.registers.size(), 0);
    groups_.resize(f_.registers.size());
    appears_.assign(f_.registers.size(), false);
    for (std::size_t r = 0; r < parent_.size(); ++r) {
      parent_[r] = r;
      groups_[r].words = f_.registers[r].words;
      groups_[r].fixed = f_.registers[r].fixed;
      if (f_.registers[r].kind == register_class::general) groups_[r].limit = most_;
    }
    for (const block& b : f_.blocks) {
      for (const operation& o : b.code) {
        const auto see = [&](word_ref w) { appears_[static_cast<std::size_t>(w.reg)] = true; };
        for_each_source(o, see);
        for_each_destination(o, see);
        for (const int c : {o.condition_in, o.condition_out})
          if (c >= 0) appears_[static_cast<std::size_t>(c)] = true;
        for (std::size_t k = 0; k < 3; ++k) {
          if (o.source[k].reg < 0 || o.code.source[k].part == isa::half::whole) continue;
          int& limit = groups_[static_cast<std::size_t>(o.source[k].reg)].limit;
          limit = std::min(limit, registers_with_halves);
        }
      }
    }
  }

  std::size_t node(word_ref r) const { return first_[static_cast<std::size_t>(r.reg)] + r.word; }
  std::size_t node(int condition) const { return first_[static_cast<std::size_t>(condition)]; }

  void step_back(const operation& o, bit_set& live) const {
    if (!o.guarded()) {
      for_each_destination(o, [&](word_ref r) { live.reset(node(r)); });
      if (o.condition_out >= 0) live.reset(node(o.condition_out));
    }
    for_each_source(o, [&](word_ref r) { live.set(node(r)); });
    if (o.condition_in >= 0) live.set(node(o.condition_in));
  }

  bit_set live_out(std::size_t b) const {
    bit_set live(count_);
    for (const int s : successors(f_.blocks[b])) live.include(live_in_[static_cast<std::size_t>(s)]);
    if (f_.blocks[b].end == ending::branch) live.set(node(f_.blocks[b].condition));
    return live;
  }

  void find_live() {
    live_in_.assign(f_.blocks.size(), bit_set(count_));
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t b = f_.blocks.size(); b-- > 0;) {
        bit_set live = live_out(b);
        for (auto o = f_.blocks[b].code.rbegin(); o != f_.blocks[b].code.rend(); ++o) step_back(*o, live);
        changed = live_in_[b].include(live) || changed;
      }
    }
  }

  void conflict(std::size_t a, std::size_t b) {
    if (a == b) return;
    conflicts_[a].set(b);
    conflicts_[b].set(a);
  }

  void find_conflicts() {
    conflicts_.assign(count_, bit_set(count_));
    for (std::size_t b = 0; b < f_.blocks.size(); ++b) {
      bit_set live = live_out(b);
      for (auto o = f_.blocks[b].code.rbegin(); o != f_.blocks[b].code.rend(); ++o) {
        std::vector<std::size_t> written;
        for_each_destination(*o, [&](word_ref r) { written.push_back(node(r)); });
        if (o->condition_out >= 0) written.push_back(node(o->condition_out));
        // Source and destination of a copy may share a register.
        const bool copy = is_copy(*o);
        for (const std::size_t w : written) {
          live.for_each([&](std::size_t l) {
            if (!copy || l != node(o->source[0])) conflict(w, l);
          });
          for (const std::size_t v : written) conflict(w, v);
        }
        step_back(*o, live);
      }
      if (b == 0) {  // what is live at the start beside the fixed register, though never written
        for (std::size_t r = 0; r < f_.registers.size(); ++r)
          if (f_.registers[r].fixed >= 0) live.for_each([&](std::size_t l) { conflict(first_[r], l); });
      }
    }
  }

  std::size_t root(std::size_t r) const {
    while (parent_[r] != r) r = parent_[r];
    return r;
  }

  void coalesce() {
    for (const block& b : f_.blocks)
      for (const operation& o : b.code)
        if (is_copy(o)) merge(o.destination, o.source[0]);
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
      if (conflicts_[first_[large] + static_cast<std::size_t>(shift + w)].test(first_[small] +
                                                                               static_cast<std::size_t>(w)))
        return;
    for (int w = 0; w < words; ++w) {
      const std::size_t into = first_[large] + static_cast<std::size_t>(shift + w);
      const std::size_t from = first_[small] + static_cast<std::size_t>(w);
      conflicts_[into].include(conflicts_[from]);
      conflicts_[from].for_each([&](std::size_t l) { conflicts_[l].set(into); });
    }
    groups_[large].limit = std::min(groups_[large].limit, groups_[small].limit);
    for (std::size_t r = 0; r < parent_.size(); ++r)
      if (root(r) == small) place_[r] += shift;
    parent_[small] = large;
  }

  int limit_of(std::size_t r) const {
    switch (f_.registers[r].kind) {
      case register_class::condition: return condition_registers;
      case register_class::address: return address_registers;
      case register_class::general: break;
    }
    return groups_[r].limit;
  }

  void colour() {
    std::vector<std::size_t> order;
    for (std::size_t r = 0; r < parent_.size(); ++r)
      if (root(r) == r) order.push_back(r);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      const bool a_fixed = groups_[a].fixed >= 0;
      const bool b_fixed = groups_[b].fixed >= 0;
      if (a_fixed != b_fixed) return a_fixed;
      return groups_[a].words > groups_[b].words;
    });
    std::vector<int> colour_of(count_, -1);  // of a group's words
    for (const std::size_t r : order) {
      bool used = groups_[r].fixed >= 0;
      for (std::size_t k = 0; k < parent_.size() && !used; ++k) used = appears_[k] && root(k) == r;
      if (!used) continue;
      group& g = groups_[r];
      for (int base = std::max(g.fixed, 0); base + g.words <= limit_of(r); base += g.words) {
        bool fits = true;
        for (int w = 0; w < g.words && fits; ++w)
          conflicts_[first_[r] + static_cast<std::size_t>(w)].for_each([&](std::size_t l) {
            if (colour_of[l] == base + w && same_file(owner(l), r)) fits = false;
          });
        if (!fits) {
          if (g.fixed >= 0) break;
          continue;
        }
        g.colour = base;
        break;
      }
      if (g.colour < 0) {
        without_room_ = static_cast<int>(r);
        return;
      }
      for (int w = 0; w < g.words; ++w) colour_of[first_[r] + static_cast<std::size_t>(w)] = g.colour + w;
    }
  }

  std::size_t owner(std::size_t word) const {
    return static_cast<std::size_t>(std::upper_bound(first_.begin(), first_.end(), word) - first_.begin()) - 1;
  }
  bool same_file(std::size_t a, std::size_t b) const { return f_.registers[a].kind == f_.registers[b].kind; }

  std::vector<int> rivals() const {
    const auto failed = static_cast<std::size_t>(without_room_);
    std::vector<bool> in_the_way(parent_.size());
    in_the_way[failed] = true;
    for (int w = 0; w < groups_[failed].words; ++w)
      conflicts_[first_[failed] + static_cast<std::size_t>(w)].for_each(
          [&](std::size_t l) { in_the_way[root(owner(l))] = true; });
    std::vector<int> result;
    for (std::size_t r = 0; r < parent_.size(); ++r)
      if (appears_[r] && in_the_way[root(r)] && same_file(r, failed)) result.push_back(static_cast<int>(r));
    return result;
  }

  const machine_function& f_;
  int most_;
  std::size_t count_ = 0;
  std::vector<std::size_t> first_;  // node of a register's first word
  std::vector<bool> appears_;
  std::vector<bit_set> live_in_;
  std::vector<bit_set> conflicts_;
  std::vector<std::size_t> parent_;
  std::vector<int> place_;  // first word of a register within its group
  std::vector<group> groups_;
  int without_room_ = -1;
};

}  // namespace

allocation colour_registers(const machine_function& f, unsigned most_registers) {
  return allocator(f, most_registers).run();
}

}  // namespace gt200::ptx
