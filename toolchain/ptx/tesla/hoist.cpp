// Sets registers before a loop that would get the same value in every round: literals that their operation can read
// from a register alone, and words of c[] and parameters in s[] of that kind. Equal ones share a register.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "toolchain/ptx/machine/loops.h"
#include "toolchain/ptx/tesla/passes.h"

namespace gt200::ptx::tesla {
namespace {

using isa::tesla::opcode;
using isa::tesla::operand_kind;

using position = std::pair<std::size_t, std::size_t>;  // block, operation
using value_key = std::tuple<opcode, operand_kind, isa::data_type, int, int>;

// The most general words that live at once.
std::size_t pressure(const machine_function& f) {
  const liveness live(f);
  const auto is_general = [&](std::size_t node) {
    return f.registers[live.owner(node)].kind == register_class::general;
  };
  std::size_t peak = 0;
  for (std::size_t b = 0; b < f.blocks.size(); ++b) {
    bit_set alive = live.live_out(b);
    std::size_t now = 0;
    alive.for_each([&](std::size_t node) { now += is_general(node) ? 1u : 0u; });
    peak = std::max(peak, now);
    const auto change = [&](word_ref r, bool to) {
      const std::size_t node = live.node(r);
      if (alive.test(node) == to || !is_general(node)) return;
      to ? alive.set(node) : alive.reset(node);
      now = to ? now + 1 : now - 1;
    };
    for (auto o = f.blocks[b].code.rbegin(); o != f.blocks[b].code.rend(); ++o) {
      for_each_destination(*o, [&](word_ref r) { change(r, true); });
      peak = std::max(peak, now);
      if (!o->guarded()) for_each_destination(*o, [&](word_ref r) { change(r, false); });
      for_each_source(*o, [&](word_ref r) { change(r, true); });
      peak = std::max(peak, now);
    }
  }
  return peak;
}

// The value to which the operation sets a register of one word, if it is the same wherever the operation stands.
std::optional<value_key> fixed_value(const machine_function& f, const operation& o, const definitions& values) {
  if (o.guarded() || o.condition_in >= 0 || o.condition_out >= 0 || o.is_volatile || o.code.is_16bit ||
      o.destination.reg < 0 || o.source[0].reg >= 0 || !values.is_value(o.destination) ||
      o.code.destination.kind != operand_kind::gpr || o.code.destination.part != isa::tesla::half::whole ||
      f.registers[static_cast<std::size_t>(o.destination.reg)].words != 1)
    return std::nullopt;
  const isa::tesla::operand& s = o.code.source[0];
  const bool moves_literal = o.code.op == opcode::mov && s.kind == operand_kind::immediate;
  const bool reads_constant = o.code.op == opcode::ld_const;
  const bool reads_parameter = o.reads_parameter && (o.code.op == opcode::mov || o.code.op == opcode::ld_shared);
  if (!moves_literal && !reads_constant && !reads_parameter) return std::nullopt;
  return value_key{o.code.op, s.kind, s.type, s.index, s.value};
}

class hoister {
 public:
  hoister(machine_function& f, std::size_t max_words) : f_(f), limit_(std::max(max_words, pressure(f))) {}

  bool run() {
    bool changed = false;
    while (hoist_one()) changed = true;
    return changed;
  }

 private:
  // Inner loops first: what has left one may leave the loop around it.
  bool hoist_one() {
    const std::vector<natural_loop> loops = loops_of(f_);
    return std::any_of(loops.rbegin(), loops.rend(), [&](const natural_loop& loop) { return hoist(loop); });
  }

  bool hoist(const natural_loop& loop) {
    const definitions values(f_);
    std::map<value_key, std::vector<position>> found;
    for (std::size_t b = 0; b < loop.contains.size(); ++b)
      for (std::size_t k = 0; loop.contains[b] && k < f_.blocks[b].code.size(); ++k)
        if (const std::optional<value_key> key = fixed_value(f_, f_.blocks[b].code[k], values))
          found[*key].emplace_back(b, k);
    std::vector<std::vector<position>> groups;
    for (auto& [key, places] : found) groups.push_back(std::move(places));
    std::stable_sort(groups.begin(), groups.end(),
                     [](const auto& x, const auto& y) { return x.size() > y.size(); });
    // As many as there is room for, those with the most operations first.
    for (std::size_t count = groups.size(); count != 0; count -= std::max<std::size_t>(1, count / 4)) {
      machine_function moved = f_;
      groups.resize(count);
      move(moved, loop, groups);
      if (pressure(moved) > limit_) continue;
      f_ = std::move(moved);
      return true;
    }
    return false;
  }

  static void move(machine_function& f, const natural_loop& loop,
                   const std::vector<std::vector<position>>& groups) {
    std::vector<operation> entrance;
    std::map<std::size_t, word_ref> renamed;
    std::set<position> gone;
    for (const std::vector<position>& places : groups) {
      const auto& [in_block, index] = places.front();
      entrance.push_back(f.blocks[in_block].code[index]);
      for (const position& p : places) {
        renamed[unit(f.blocks[p.first].code[p.second].destination)] = entrance.back().destination;
        gone.insert(p);
      }
    }
    for (std::size_t b = 0; b < f.blocks.size(); ++b) {
      std::vector<operation> left;
      for (std::size_t k = 0; k < f.blocks[b].code.size(); ++k) {
        if (gone.count({b, k}) != 0) continue;
        left.push_back(std::move(f.blocks[b].code[k]));
        for (word_ref& s : left.back().source) {
          const auto to = s.reg < 0 ? renamed.end() : renamed.find(unit(s));
          if (to != renamed.end()) s = to->second;
        }
      }
      f.blocks[b].code = std::move(left);
    }
    add_entrance(f, loop, std::move(entrance));
  }

  machine_function& f_;
  std::size_t limit_;
};

}  // namespace

bool hoist_moves(machine_function& f, std::size_t max_words) { return hoister(f, max_words).run(); }

}  // namespace gt200::ptx::tesla
