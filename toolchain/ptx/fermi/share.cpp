#include <array>
#include <map>
#include <tuple>
#include <vector>

#include "toolchain/ptx/fermi/passes.h"
#include "toolchain/ptx/machine/dominators.h"

namespace gt200::ptx::fermi {
namespace {

using isa::fermi::opcode;

// The machine words with given registers say everything but the sources.
using value_key = std::tuple<std::uint32_t, std::uint32_t, std::array<std::pair<int, int>, 3>>;

class sharer {
 public:
  explicit sharer(machine_function& f) : f_(f), definitions_(f) {}

  void run() {
    std::vector<std::vector<int>> next;
    for (const block& b : f_.blocks) next.push_back(successors(b));
    const dominator_tree tree(next, predecessors(f_), 0);
    replaced_.resize(f_.registers.size());
    for (std::size_t r = 0; r < replaced_.size(); ++r) replaced_[r] = static_cast<int>(r);
    for (const int b : tree.order()) {
      for (operation& o : f_.blocks[static_cast<std::size_t>(b)].code) {
        rename(o);
        if (!may_share(o)) continue;
        const std::optional<value_key> key = key_of(o);
        if (!key) continue;
        // The last operation with this key that dominates is the nearest.
        std::vector<std::pair<int, int>>& before = known_[*key];
        while (!before.empty() && !tree.dominates(before.back().first, b)) before.pop_back();
        if (before.empty())
          before.emplace_back(b, o.destination.reg);
        else
          replaced_[static_cast<std::size_t>(o.destination.reg)] = before.back().second;
      }
    }
    // Blocks earlier in the list may use what was replaced later.
    for (block& b : f_.blocks)
      for (operation& o : b.code) rename(o);
  }

 private:
  void rename(operation& o) const {
    for (word_ref& s : o.source)
      if (s.reg >= 0) s.reg = replaced_[static_cast<std::size_t>(s.reg)];
  }

  bool may_share(const operation& o) const {
    if (o.destination.reg < 0 || o.guarded() || o.carry_in >= 0 || o.carry_out >= 0 || has_effect(o) ||
        reads_memory(o) || o.predicate_out[0] >= 0 || o.predicate_out[1] >= 0)
      return false;
    for (const int p : o.predicate_in)
      if (p >= 0) return false;
    switch (o.code.op) {
      case opcode::vote:
      case opcode::tex:
      case opcode::tld: return false;
      case opcode::mov:
        if (o.source[1].reg < 0) return false;  // numbers are as cheap as registers
        break;
      default: break;
    }
    const virtual_register& d = f_.registers[static_cast<std::size_t>(o.destination.reg)];
    if (d.kind != register_class::general || d.words != o.code.destination.words) return false;
    bool all = true;
    for_each_destination(o, [&](word_ref r) { all = all && definitions_.is_value(r); });
    return all && definitions_.has_values_only(f_, o);
  }

  std::optional<value_key> key_of(const operation& o) const {
    operation trial = o;
    const std::vector<int> assigned = {4, 8, 12, 16};
    trial.destination = {0, 0};
    std::array<std::pair<int, int>, 3> sources;
    for (std::size_t k = 0; k < 3; ++k) {
      sources[k] = {o.source[k].reg, o.source[k].word};
      if (trial.source[k].reg >= 0) trial.source[k] = {static_cast<int>(k) + 1, 0};
    }
    isa::fermi::instruction code = fermi::bind(trial, assigned);
    std::string reason;
    if (!encode(code, reason)) return std::nullopt;
    return value_key{code.words[0], code.words[1], sources};
  }

  machine_function& f_;
  definitions definitions_;
  std::vector<int> replaced_;
  std::map<value_key, std::vector<std::pair<int, int>>> known_;
};

}  // namespace

void share_values(machine_function& f) { sharer(f).run(); }

}  // namespace gt200::ptx::fermi
