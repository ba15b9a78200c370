// Comparisons, selections and predicate logic.
#include "toolchain/ptx/tesla/lowering.h"

namespace gt200::ptx::tesla {
namespace {

using isa::tesla::logic_op;
using isa::tesla::opcode;

// Bits: less 1, equal 2, greater 4, unordered 8.
int comparison_named(const std::string& name) {
  static const std::map<std::string, int> names = {{"lt", 1},   {"eq", 2},   {"le", 3},   {"gt", 4},   {"ne", 5},
                                                   {"ge", 6},   {"num", 7},  {"nan", 8},  {"ltu", 9},  {"equ", 10},
                                                   {"leu", 11}, {"gtu", 12}, {"neu", 13}, {"geu", 14}, {"lo", 1},
                                                   {"ls", 3},   {"hi", 4},   {"hs", 6}};
  const auto found = names.find(name);
  return found == names.end() ? -1 : found->second;
}

}  // namespace

predicate lowering::combine(logic_op op, const predicate& a, const predicate& b) {
  const predicate p = out_.new_predicate();
  operation& o = out_.emit(opcode::logic, p.mask, {reg(a.mask), reg(b.mask)});
  o.code.logic = op;
  o.condition_out = p.condition;
  return p;
}

predicate lowering::inverse(const predicate& p) {
  const predicate q = out_.new_predicate();
  operation& o = out_.emit(opcode::logic, q.mask, {reg(p.mask), inverted(reg(p.mask))});
  o.code.logic = logic_op::mov2;
  o.condition_out = q.condition;
  return q;
}

predicate lowering::compare_typed(const std::string& condition, const operand& a, const operand& b, scalar t) {
  const int code = comparison_named(condition);
  if (code < 0) unsupported("'" + condition + "' is no comparison");
  if (t == scalar::f64) {
    const predicate p = out_.new_predicate();
    operation& o = out_.emit(opcode::dset, p.mask, {pair_of(double_pair(a)), pair_of(double_pair(b))});
    o.code.compare = static_cast<std::uint8_t>(code);
    o.condition_out = p.condition;
    return p;
  }
  if (t == scalar::f32) {
    const predicate p = out_.new_predicate();
    operation& o = out_.emit(opcode::fset, p.mask, {source(a, t), source(b, t)});
    o.code.compare = static_cast<std::uint8_t>(code);
    o.condition_out = p.condition;
    return p;
  }
  // "ne" of integers has no unordered bit; lo, ls, hi, hs are unsigned.
  const bool is_unsigned_name = condition == "lo" || condition == "ls" || condition == "hi" || condition == "hs";
  const bool sign = is_signed(t) && !is_unsigned_name;
  const auto bits = static_cast<unsigned>(code & 7);
  if (bytes_of(t) == 8) return compare_wide(bits, source_wide(a, t), source_wide(b, t), sign);
  return out_.compare(bits, extended(a, t), extended(b, t), sign);
}

bool lowering::lower_predicate(const statement& s) {
  const std::string& n = s.name;
  if (n == "setp" || n == "set") {
    operand_count(3, 4);
    if (s.modifiers.empty()) unsupported("the comparison is missing");
    const scalar t = type();
    std::string joined;
    for (const std::string& m : s.modifiers)
      if (m == "and" || m == "or" || m == "xor") joined = m;
    const operand to = at(0);
    predicate p = compare_typed(s.modifiers[0], at(1), at(2), t);
    predicate q;
    const bool two = n == "setp" && !to.second.empty();
    if (two) q = inverse(p);
    if (!joined.empty()) {
      if (s.operands.size() != 4) unsupported("the third operand is missing");
      const predicate c = predicate_source(at(3));
      const logic_op op = joined == "and" ? logic_op::and_ : joined == "or" ? logic_op::or_ : logic_op::xor_;
      p = combine(op, p, c);
      if (two) q = combine(op, q, c);
    }
    if (n == "set") {
      if (type(1) == scalar::f32)
        assign(to, out_.logic(logic_op::and_, reg(p.mask), imm(0x3f800000)));
      else
        assign(to, reg(p.mask));
      return true;
    }
    operand first = to;
    first.second.clear();
    operand second = to;
    second.name = to.second;
    second.second.clear();
    // The guard holds for both results, so a result that is itself the guard is written last.
    const bool guard_is_second = two && !s.guard.empty() && s.guard == to.second;
    if (guard_is_second) assign_predicate(first, p);
    if (two) assign_predicate(second, q);
    if (!guard_is_second) assign_predicate(first, p);
    return true;
  }
  if (n == "selp") {
    operand_count(4, 4);
    const scalar t = type();
    operand chooser = at(3);
    chooser.negated = false;
    const predicate p = predicate_source(chooser);
    wide a = source_wide(at(1), t);
    wide b = source_wide(at(2), t);
    if (at(3).negated) std::swap(a, b);
    wide result = {out_.choose(p, a.low, b.low), imm(0)};
    if (bytes_of(t) == 8) result.high = out_.choose(p, a.high, b.high);
    assign_wide(at(0), result);
    return true;
  }
  if (n == "slct") {
    operand_count(4, 4);
    const scalar by = type();
    const scalar t = type(1);
    predicate p;
    if (by == scalar::f32) {
      p = out_.new_predicate();
      operation& o = out_.emit(opcode::fset, p.mask, {source(at(3), by), imm(0)});
      o.code.compare = 6;
      o.condition_out = p.condition;
    } else {
      p = out_.compare(6, source(at(3), by), imm(0), true);
    }
    const wide a = source_wide(at(1), t);
    const wide b = source_wide(at(2), t);
    assign_wide(at(0), {out_.choose(p, a.low, b.low), bytes_of(t) == 8 ? out_.choose(p, a.high, b.high) : imm(0)});
    return true;
  }
  if (n == "vote") {
    if (has("sync")) unsupported(".sync needs sm_30");
    operand_count(2, 2);
    if (has("ballot")) unsupported("this needs sm_20");
    operand voter = at(1);
    voter.negated = false;
    const predicate p = predicate_source(voter);
    const bool when = !at(1).negated;
    const auto vote = [&](opcode op, bool on) {
      const int result = out_.condition();
      operation& o = out_.emit(op, {}, {});
      o.code.condition = on ? condition_true : condition_false;
      o.condition_in = p.condition;
      o.condition_out = result;
      return predicate{result, {}};
    };
    // Threads whose guard is false do not vote.
    under_guard([&] {
      // The mask from the flags; for .uni from either of two votes.
      const predicate first = vote(has("any") ? opcode::vote_any : opcode::vote_all, when);
      const word_ref mask = out_.word();
      out_.move(mask, imm(0));
      out_.emit_guarded(opcode::mov, mask, {imm(0xffffffff)}, first);
      if (has("uni")) out_.emit_guarded(opcode::mov, mask, {imm(0xffffffff)}, vote(opcode::vote_all, !when));
      assign_predicate(at(0), out_.predicate_of(reg(mask)));
    });
    return true;
  }
  if ((n == "and" || n == "or" || n == "xor" || n == "not") && has("pred")) {
    operand_count(n == "not" ? 2 : 3, n == "not" ? 2 : 3);
    if (n == "not") {
      assign_predicate(at(0), inverse(predicate_source(at(1))));
    } else {
      const logic_op op = n == "and" ? logic_op::and_ : n == "or" ? logic_op::or_ : logic_op::xor_;
      const predicate a = predicate_source(at(1));
      assign_predicate(at(0), combine(op, a, predicate_source(at(2))));
    }
    return true;
  }
  return false;
}

}  // namespace gt200::ptx::tesla
