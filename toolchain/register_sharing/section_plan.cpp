#include "toolchain/register_sharing/section_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gt200::register_sharing {
namespace {

using isa::tesla::control_kind;

// A release and the acquire behind it cost more than to keep the section over this many instructions.
constexpr std::size_t shortest_gap = 8;

// Places of a value: a register before or after an instruction.
class value_places {
 public:
  explicit value_places(std::size_t nodes) : parent_(nodes * 2 * isa::tesla::max_gpr) {
    std::iota(parent_.begin(), parent_.end(), 0u);
  }
  static std::uint32_t place(std::size_t node, bool is_after, unsigned r) {
    return static_cast<std::uint32_t>((2 * node + (is_after ? 1 : 0)) * isa::tesla::max_gpr + r);
  }
  std::uint32_t root(std::uint32_t p) {
    while (parent_[p] != p) p = parent_[p] = parent_[parent_[p]];
    return p;
  }
  void join(std::uint32_t a, std::uint32_t b) { parent_[root(a)] = root(b); }

 private:
  std::vector<std::uint32_t> parent_;
};

class planner {
 public:
  planner(const analysed_code& code, unsigned base) : code_(code), base_(base), nodes_(code.graph.size()) {
    for (unsigned r = base; r < code.registers; ++r) high_.set(r);
    plan_.base = base;
    plan_.held.assign(nodes_, false);
    predecessors_.assign(nodes_, 0);
    for (const code_node& node : code.graph.nodes)
      for (const int next : node.next) ++predecessors_[static_cast<std::size_t>(next)];
    find_forbidden();
  }

  section_plan run() {
    for (std::size_t n = 0; n < nodes_; ++n)
      if (in_use(n).count() > base_) hold(n);
    do {
      do {
        changed_ = false;
        obey_divergence();
        obey_breaks();
        close_gaps();
      } while (changed_);
      find_homes();
    } while (changed_);
    return std::move(plan_);
  }

 private:
  const code_node& node(std::size_t n) const { return code_.graph.nodes[n]; }
  register_set used_before(std::size_t n) const { return code_.life[n].before | code_.life[n].reads; }
  register_set used_after(std::size_t n) const { return code_.life[n].after | code_.life[n].writes; }
  register_set in_use(std::size_t n) const { return used_before(n) | used_after(n); }

  void forbid(std::size_t n, const char* why) {
    if (forbidden_[n] == nullptr) forbidden_[n] = why;
  }
  void find_forbidden() {
    forbidden_.assign(nodes_, nullptr);
    for (std::size_t n = 0; n < nodes_; ++n) {
      const isa::tesla::instruction& i = node(n).instruction;
      if (i.unit == isa::unit_class::barrier) forbid(n, "at a barrier");
      if (i.exit) forbid(n, "where it ends");
      if (i.control == control_kind::ret) forbid(n, "at a return");
      if (i.control != control_kind::call) continue;
      forbid(n, "at a call");
      forbid(static_cast<std::size_t>(node(n).target), "at a call");
      if (n + 1 < nodes_) forbid(n + 1, "at a call");
    }
  }

  void hold(std::size_t n) {
    if (plan_.held[n]) return;
    if (forbidden_[n] != nullptr)
      throw refusal(fmt::format("with {} registers it would need a section {}, at {:#x}", base_, forbidden_[n],
                                node(n).address));
    plan_.held[n] = changed_ = true;
  }
  void hold(int n) { hold(static_cast<std::size_t>(n)); }
  bool held(int n) const { return plan_.held[static_cast<std::size_t>(n)]; }

  bool releases_within(const divergent_branch& b) const {
    for (std::size_t n = 0; n < nodes_; ++n) {
      if (!b.region[n] || !plan_.held[n]) continue;
      for (const int next : node(n).next)
        if (!held(next)) return true;
    }
    return false;
  }
  void obey_divergence() {
    for (const divergent_branch& b : code_.divergence) {
      bool holds_all = held(b.node);
      if (!holds_all) {
        bool waits_held = false;
        for (const int at : b.waiting) waits_held |= held(at);
        holds_all = waits_held && releases_within(b);
      }
      if (!holds_all) continue;
      for (std::size_t n = 0; n < nodes_; ++n)
        if (b.region[n]) hold(n);
      for (const int at : b.waiting) hold(at);
    }
  }

  void obey_breaks() {
    for (std::size_t n = 0; n < nodes_; ++n) {
      if (node(n).instruction.control != control_kind::brk) continue;
      for (const int next : node(n).next) {
        const bool is_target = !(node(n).continues && next == static_cast<int>(n) + 1);
        if (!is_target) continue;
        if (held(next)) hold(n);
        if (plan_.held[n]) hold(next);
      }
    }
  }

  // Short straight pieces of code between two that hold a section.
  void close_gaps() {
    for (std::size_t first = 1; first < nodes_; ++first) {
      if (plan_.held[first] || !plan_.held[first - 1]) continue;
      std::size_t end = first;
      bool straight = true;
      while (end < nodes_ && !plan_.held[end] && end - first <= shortest_gap && straight) {
        straight = predecessors_[end] == 1 && node(end).next.size() == 1 && node(end).continues &&
                   forbidden_[end] == nullptr;
        ++end;
      }
      if (!straight || end == nodes_ || end - first > shortest_gap || !node(first - 1).continues) continue;
      for (std::size_t n = first; n < end; ++n) hold(n);
    }
  }

  // Each value of a high register outside the held part gets a low register, or it is held as well.
  void find_homes() {
    value_places places(nodes_);
    join_places(places);
    std::vector<std::vector<std::uint32_t>> values = collect(places);
    std::vector<register_set> taken(2 * nodes_);
    for (std::size_t n = 0; n < nodes_; ++n) {
      taken[2 * n] = used_before(n) & ~high_;
      taken[2 * n + 1] = used_after(n) & ~high_;
    }
    section_plan::homes none;
    none.fill(section_plan::no_home);
    plan_.before.assign(nodes_, none);
    plan_.after.assign(nodes_, none);
    for (const std::vector<std::uint32_t>& value : values) {
      if (hold_groups(value)) continue;
      const unsigned home = best_home(value, taken);
      for (const std::uint32_t p : value) {
        register_set& there = taken[p / isa::tesla::max_gpr];
        // The value has no home as long as another value is in that register.
        if (there.test(home)) {
          hold(node_of(p));
          continue;
        }
        there.set(home);
        const bool is_after = (p / isa::tesla::max_gpr) % 2 != 0;
        (is_after ? plan_.after : plan_.before)[node_of(p)][p % isa::tesla::max_gpr] =
            static_cast<std::uint8_t>(home);
      }
    }
  }

  static std::size_t node_of(std::uint32_t place) { return place / isa::tesla::max_gpr / 2; }

  // Instructions that need the register in a pair or group are held.
  bool hold_groups(const std::vector<std::uint32_t>& value) {
    bool any = false;
    for (const std::uint32_t p : value)
      if (code_.life[node_of(p)].grouped.test(p % isa::tesla::max_gpr)) {
        hold(node_of(p));
        any = true;
      }
    return any;
  }

  // The low register that is free in most places of the value, and wherever no section can be held.
  unsigned best_home(const std::vector<std::uint32_t>& value, const std::vector<register_set>& taken) const {
    constexpr unsigned impossible = 1u << 20;
    std::vector<unsigned> busy(base_, 0);
    for (const std::uint32_t p : value) {
      const register_set& there = taken[p / isa::tesla::max_gpr];
      const unsigned weight = forbidden_[node_of(p)] != nullptr ? impossible : 1;
      for (unsigned r = 0; r < base_; ++r)
        if (there.test(r)) busy[r] += weight;
    }
    return static_cast<unsigned>(std::min_element(busy.begin(), busy.end()) - busy.begin());
  }

  void join_places(value_places& places) const {
    for (std::size_t n = 0; n < nodes_; ++n) {
      if (plan_.held[n]) continue;
      const register_life& life = code_.life[n];
      const register_set through = (used_before(n) & life.after & ~life.writes) | life.keeps;
      const register_set after = used_after(n) & high_;
      for (unsigned r = base_; r < code_.registers; ++r) {
        if (through.test(r)) places.join(value_places::place(n, false, r), value_places::place(n, true, r));
        if (!after.test(r)) continue;
        for (const int next : node(n).next)
          if (!held(next) && code_.life[static_cast<std::size_t>(next)].before.test(r) && life.after.test(r))
            places.join(value_places::place(n, true, r),
                        value_places::place(static_cast<std::size_t>(next), false, r));
      }
    }
  }

  // The places of each value, in the order of the code.
  std::vector<std::vector<std::uint32_t>> collect(value_places& places) const {
    std::vector<std::vector<std::uint32_t>> values;
    std::vector<std::uint32_t> number(2 * nodes_ * isa::tesla::max_gpr, ~0u);
    for (std::size_t n = 0; n < nodes_; ++n) {
      if (plan_.held[n]) continue;
      for (const bool is_after : {false, true}) {
        // A register that keeps a part of its old value is there before as well.
        const register_set there = ((is_after ? used_after(n) : used_before(n)) | code_.life[n].keeps) & high_;
        for (unsigned r = base_; r < code_.registers; ++r) {
          if (!there.test(r)) continue;
          const std::uint32_t p = value_places::place(n, is_after, r);
          std::uint32_t& at = number[places.root(p)];
          if (at == ~0u) {
            at = static_cast<std::uint32_t>(values.size());
            values.emplace_back();
          }
          values[at].push_back(p);
        }
      }
    }
    return values;
  }

  const analysed_code& code_;
  unsigned base_;
  std::size_t nodes_;
  register_set high_;
  section_plan plan_;
  std::vector<unsigned> predecessors_;
  std::vector<const char*> forbidden_;  // by node: why no section can be held there; null: it can
  bool changed_ = false;
};

}  // namespace

analysed_code::analysed_code(const cubin::kernel& kernel)
    : graph(kernel),
      life(find_life(graph, kernel.registers)),
      divergence(find_divergence(graph)),
      registers(kernel.registers) {}

section_plan plan_sections(const analysed_code& code, unsigned base) { return planner(code, base).run(); }

double held_share(const analysed_code& code, const section_plan& plan) {
  constexpr double turns = 8;  // of a loop, when nothing is known of it
  std::vector<unsigned> depth(code.graph.size(), 0);
  for (std::size_t n = 0; n < code.graph.size(); ++n)
    for (const int next : code.graph.nodes[n].next)
      for (auto k = static_cast<std::size_t>(next); k <= n; ++k) ++depth[k];
  double all = 0;
  double held = 0;
  for (std::size_t n = 0; n < code.graph.size(); ++n) {
    const double weight = std::pow(turns, depth[n]);
    all += weight;
    if (plan.held[n]) held += weight;
  }
  return held / all;
}

}  // namespace gt200::register_sharing
