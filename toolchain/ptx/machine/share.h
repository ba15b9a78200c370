// Removes operations that compute what a dominating operation has computed. The namespace of a target has
// is_shareable(operation): two of them with the same sources give the same value, and sharing it pays.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "toolchain/isa/common/instruction.h"
#include "toolchain/ptx/machine/definitions.h"
#include "toolchain/ptx/machine/operation.h"

namespace gt200::ptx {

template <class function>
class value_sharer {
 public:
  using operation = typename function::operation;

  explicit value_sharer(function& f) : f_(f), definitions_(f) {}

  void run() {
    std::vector<std::vector<int>> next;
    for (const auto& b : f_.blocks) next.push_back(successors(b));
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
    for (auto& b : f_.blocks)
      for (operation& o : b.code) rename(o);
  }

 private:
  // The machine words with given registers say everything but the sources.
  using value_key = std::pair<isa::instruction_words, std::array<std::pair<int, int>, 3>>;

  void rename(operation& o) const {
    for (word_ref& s : o.source)
      if (s.reg >= 0) s.reg = replaced_[static_cast<std::size_t>(s.reg)];
  }

  bool may_share(const operation& o) const {
    if (!uses_words_only(o) || !is_shareable(o)) return false;
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
    auto code = with_registers(trial, assigned);
    std::string reason;
    if (!encode_operation(o, code, reason)) return std::nullopt;
    return value_key{code.words, sources};
  }

  function& f_;
  basic_definitions<function> definitions_;
  std::vector<int> replaced_;
  std::map<value_key, std::vector<std::pair<int, int>>> known_;
};

template <class function>
void share_values(function& f) {
  value_sharer<function>(f).run();
}

}  // namespace gt200::ptx
