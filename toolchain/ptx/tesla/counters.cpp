#include "toolchain/ptx/tesla/counters.h"

#include <algorithm>

namespace gt200::ptx::tesla {

using isa::tesla::opcode;
using isa::tesla::operand_kind;

bool computes_plainly(const operation& o) {
  return !o.guarded() && o.condition_in < 0 && o.condition_out < 0 && o.expansion == pseudo::none &&
         !o.is_volatile && !o.code.saturate && !o.code.is_16bit;
}

bool is_whole_word(const isa::tesla::operand& o) {
  return o.kind == operand_kind::gpr && o.part == isa::tesla::half::whole && isa::words_of(o.type) == 1;
}

bool is_immediate(const isa::tesla::operand& o) { return o.kind == operand_kind::immediate; }

bool shifts_by_constant(const operation& o) {
  return o.code.op == opcode::shl && is_whole_word(o.code.source[0]) && is_immediate(o.code.source[1]) &&
         o.code.source[1].value >= 0 && o.code.source[1].value <= longest_counter_shift;
}

loop_counters::loop_counters(const machine_function& f, const natural_loop& loop) : f_(f), values_(f) {
  for (std::size_t b = 0; b < loop.contains.size(); ++b) {
    if (!loop.contains[b]) continue;
    for (std::size_t k = 0; k < f.blocks[b].code.size(); ++k)
      for_each_destination(f.blocks[b].code[k], [&](word_ref r) { writers_[unit(r)].push_back({b, k}); });
  }
}

std::optional<counting> loop_counters::sum(const operation& o, word_ref y, word_ref x) const {
  if (o.code.op != opcode::add || !computes_plainly(o) || !is_whole_word(o.code.destination) || o.destination != y)
    return std::nullopt;
  for (const std::size_t k : {0u, 1u}) {
    const std::size_t other = 1 - k;
    if (!is_whole_word(o.code.source[k]) || o.source[k] != x) continue;
    if (is_immediate(o.code.source[other])) return counting{{}, o.code.source[other].value, {}, false};
    if (is_whole_word(o.code.source[other]) && is_fixed(o.source[other]))
      return counting{{}, 1, o.source[other], false};
  }
  return std::nullopt;
}

std::optional<std::vector<counting>> loop_counters::countings(word_ref r) const {
  const auto found = writers_.find(unit(r));
  if (found == writers_.end() || f_.registers[static_cast<std::size_t>(r.reg)].kind != register_class::general)
    return std::nullopt;
  std::vector<counting> result;
  for (const place& p : found->second) {
    const operation& o = at(p);
    std::optional<counting> added = sum(o, r, r);
    if (!added) {
      const operation* y = is_copy(o) && computes_plainly(o) ? values_.only(f_, o.source[0]) : nullptr;
      if (y == nullptr) return std::nullopt;
      added = sum(*y, o.source[0], r);
      const definitions::entry& made = values_.of(o.source[0]);
      if (!added || made.in_block != static_cast<int>(p.in_block) ||
          changes_between(r, p.in_block, static_cast<std::size_t>(made.index), p.index))
        return std::nullopt;
      added->is_needed = made.reads != 1;
    }
    added->at = p;
    result.push_back(*added);
  }
  return result;
}

std::optional<std::vector<counting>> loop_counters::constant_countings(word_ref r) const {
  std::optional<std::vector<counting>> all = countings(r);
  const auto adds_word = [](const counting& c) { return c.factor.reg >= 0; };
  if (all && std::any_of(all->begin(), all->end(), adds_word)) return std::nullopt;
  return all;
}

bool loop_counters::is_fixed(word_ref r) const {
  return values_.never_changes(f_, r) && writers_.count(unit(r)) == 0;
}

bool loop_counters::changes_between(word_ref r, std::size_t in_block, std::size_t first, std::size_t last) const {
  const auto found = writers_.find(unit(r));
  return found != writers_.end() && std::any_of(found->second.begin(), found->second.end(), [&](const place& p) {
           return p.in_block == in_block && p.index > first && p.index < last;
         });
}

}  // namespace gt200::ptx::tesla
