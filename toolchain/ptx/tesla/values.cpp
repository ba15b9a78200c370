// Splits reused registers and shares equal values.
#include <array>
#include <iterator>
#include <map>
#include <tuple>
#include <vector>

#include "toolchain/ptx/machine/dominators.h"
#include "toolchain/ptx/machine/split.h"
#include "toolchain/ptx/tesla/passes.h"

namespace gt200::ptx::tesla {
namespace {

using isa::tesla::opcode;

// Everything that determines the result.
using operand_key = std::tuple<int, int, int, int, int, int, bool, bool, bool, int, int, int>;
using value_key = std::tuple<int, int, int, int, int, int, int, std::array<operand_key, 3>>;

operand_key key_of(const isa::tesla::operand& o, word_ref r) {
  return {static_cast<int>(o.kind),
          static_cast<int>(o.type),
          static_cast<int>(o.part),
          o.index,
          o.base,
          o.address_register,
          o.negate,
          o.absolute,
          o.invert,
          o.value,
          r.reg,
          r.word};
}

value_key key_of(const operation& o) {
  const isa::tesla::instruction& c = o.code;
  const int flags = c.is_signed << 0 | c.saturate << 1 | c.high << 2 | c.arithmetic_shift << 3 | c.is_16bit << 4 |
                    c.integral_round << 5 | c.source_signed[0] << 6 | c.source_signed[1] << 7 |
                    o.reads_parameter << 8;
  return {static_cast<int>(c.op),
          flags,
          static_cast<int>(c.compare) << 8 | static_cast<int>(c.logic),
          static_cast<int>(c.round) << 8 | static_cast<int>(c.cvt),
          static_cast<int>(c.source_type) << 8 | static_cast<int>(c.destination_type),
          static_cast<int>(c.addend) << 8 | static_cast<int>(c.destination.type),
          static_cast<int>(o.expansion),
          {key_of(c.source[0], o.source[0]), key_of(c.source[1], o.source[1]), key_of(c.source[2], o.source[2])}};
}

class sharer {
 public:
  explicit sharer(machine_function& f) : f_(f), definitions_(f) {}

  void run() {
    std::vector<std::vector<int>> next;
    for (const block& b : f_.blocks) next.push_back(successors(b));
    const dominator_tree tree(next, predecessors(f_), 0);
    replaced_.resize(f_.registers.size());
    for (std::size_t r = 0; r < replaced_.size(); ++r) replaced_[r] = static_cast<int>(r);
    for (block& b : f_.blocks) share_addresses(b);
    for (const int b : tree.order()) {
      for (operation& o : f_.blocks[static_cast<std::size_t>(b)].code) {
        for (word_ref& s : o.source)
          if (s.reg >= 0) s.reg = replaced_[static_cast<std::size_t>(s.reg)];
        if (!may_share(o)) continue;
        // The last operation with this key that dominates is the nearest.
        std::vector<std::pair<int, int>>& before = known_[key_of(o)];
        while (!before.empty() && !tree.dominates(before.back().first, b)) before.pop_back();
        if (before.empty())
          before.emplace_back(b, o.destination.reg);
        else
          replaced_[static_cast<std::size_t>(o.destination.reg)] = before.back().second;
      }
    }
    // Blocks earlier in the list may use what was replaced later.
    for (block& b : f_.blocks)
      for (operation& o : b.code)
        for (word_ref& s : o.source)
          if (s.reg >= 0) s.reg = replaced_[static_cast<std::size_t>(s.reg)];
  }

 private:
  // Shares address registers set within a block from a register that does not change in between.
  void share_addresses(block& b) {
    std::map<value_key, int> made;
    for (operation& o : b.code) {
      for (word_ref& s : o.source)
        if (s.reg >= 0) s.reg = replaced_[static_cast<std::size_t>(s.reg)];
      for (auto k = made.begin(); k != made.end();) {
        const operand_key& source = std::get<7>(k->first)[0];
        const bool changes = o.destination.reg >= 0 && std::get<10>(source) == o.destination.reg;
        k = changes ? made.erase(k) : std::next(k);
      }
      if (o.code.op != opcode::shl_to_a || o.guarded() || !definitions_.is_value(o.destination)) continue;
      const auto [known, is_new] = made.emplace(key_of(o), o.destination.reg);
      if (!is_new) replaced_[static_cast<std::size_t>(o.destination.reg)] = known->second;
    }
  }

  bool may_share(const operation& o) const {
    if (o.destination.reg < 0 || o.guarded() || o.condition_in >= 0 || o.condition_out >= 0 || has_effect(o) ||
        is_load(o))
      return false;
    const virtual_register& d = f_.registers[static_cast<std::size_t>(o.destination.reg)];
    if (!is_plain(d) && d.kind != register_class::address) return false;
    switch (o.code.op) {
      case opcode::mov_from_sr:
      case opcode::mov_from_c:
      case opcode::tex:
      case opcode::texfetch:
      case opcode::vote_any:
      case opcode::vote_all: return false;
      case opcode::mov:
        if (o.code.source[0].kind == isa::tesla::operand_kind::immediate) return false;
        break;
      default: break;
    }
    return definitions_.is_value(o.destination) && definitions_.has_values_only(f_, o);
  }

  machine_function& f_;
  definitions definitions_;
  std::vector<int> replaced_;
  std::map<value_key, std::vector<std::pair<int, int>>> known_;
};

}  // namespace

void split_registers(machine_function& f) { register_splitter<machine_function>(f).run(); }

void share_values(machine_function& f) { sharer(f).run(); }

}  // namespace gt200::ptx::tesla
