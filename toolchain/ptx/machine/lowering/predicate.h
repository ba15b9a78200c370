// Comparisons, selections, predicate logic and votes.
#pragma once

#include <map>

#include "toolchain/ptx/machine/lowering/integer.h"

namespace gt200::ptx {

// Bits: less 1, equal 2, greater 4, unordered 8.
inline int comparison_named(const std::string& name) {
  static const std::map<std::string, int> names = {{"lt", 1},   {"eq", 2},   {"le", 3},   {"gt", 4},   {"ne", 5},
                                                   {"ge", 6},   {"num", 7},  {"nan", 8},  {"ltu", 9},  {"equ", 10},
                                                   {"leu", 11}, {"gtu", 12}, {"neu", 13}, {"geu", 14}, {"lo", 1},
                                                   {"ls", 3},   {"hi", 4},   {"hs", 6}};
  const auto found = names.find(name);
  return found == names.end() ? -1 : found->second;
}

template <class machine>
auto word_lowering<machine>::compare_typed(const std::string& condition, const operand& a, const operand& b,
                                           scalar t, const predicate& to, const predicate& second) -> operation& {
  const int code = comparison_named(condition);
  if (code < 0) unsupported("'" + condition + "' is no comparison");
  if (is_float(t)) {
    const bool is_double = t == scalar::f64;
    const value x = is_double ? pair_source(a, t) : source(a, t);
    const value y = is_double ? pair_source(b, t) : source(b, t);
    operation& o = out_.emit_test(is_double ? opcode::dsetp : opcode::fsetp, to, {x, y}, second);
    o.code.compare = static_cast<std::uint8_t>(code);
    o.code.ftz = !is_double && flushes();
    return o;
  }
  // "ne" of integers has no unordered bit; lo, ls, hi, hs are unsigned.
  const bool is_unsigned_name = condition == "lo" || condition == "ls" || condition == "hi" || condition == "hs";
  const bool sign = is_signed(t) && !is_unsigned_name;
  const auto bits = static_cast<unsigned>(code & 7);
  if (bytes_of(t) == 8) return compare_wide(bits, source_wide(a, t), source_wide(b, t), sign, to, second);
  const value x = extended(a, t);
  const value y = extended(b, t);
  operation& o = out_.emit_test(opcode::isetp, to, {x, y}, second);
  o.code.compare = static_cast<std::uint8_t>(bits);
  o.code.is_signed = sign;
  return o;
}

template <class machine>
void word_lowering<machine>::lower_set() {
  operand_count(3, 4);
  const statement& s = *statement_;
  const bool makes_predicate = s.name == "setp";
  if (s.modifiers.empty()) unsupported("the comparison is missing");
  const scalar t = type();
  std::string joined;
  for (const std::string& m : s.modifiers)
    if (m == "and" || m == "or" || m == "xor") joined = m;
  if (!joined.empty() && s.operands.size() != 4) unsupported("the third operand is missing");
  const operand to = at(0);
  predicate first = out_.new_predicate();
  predicate second;
  if (makes_predicate) {
    operand name = to;
    name.second.clear();
    first = destination_predicate(name);
    name.name = to.second;
    if (!to.second.empty()) second = destination_predicate(name);
  }
  operation& o = compare_typed(s.modifiers[0], at(1), at(2), t, first, second);
  if (!joined.empty()) {
    writer::set_source(o, machine::predicate_slot, predicate_source(at(3)));
    o.code.combine = logic_named<logic_op>(joined);
  }
  if (makes_predicate) {
    under_own_guard(o);
    return;
  }
  assign(to, out_.choose(first, imm(type(1) == scalar::f32 ? 0x3f800000u : 0xffffffffu), imm(0)));
}

template <class machine>
void word_lowering<machine>::lower_slct() {
  operand_count(4, 4);
  const scalar by = type();
  const scalar t = type(1);
  if (by != scalar::f32 && by != scalar::s32) unsupported("the last type is .s32 or .f32");
  const wide a = source_wide(at(1), t);
  const wide b = source_wide(at(2), t);
  const value c = out_.in_register(source(at(3), by));
  const auto select = [&](value x, value y) { return choose_not_less(x, y, c, by == scalar::f32); };
  if (bytes_of(t) == 8)
    assign_wide(at(0), {select(a.low, b.low), select(a.high, b.high)});
  else
    assign(at(0), select(a.low, b.low));
}

template <class machine>
bool word_lowering<machine>::lower_predicate(const statement& s) {
  const std::string& n = s.name;
  if (n == "setp" || n == "set") {
    lower_set();
    return true;
  }
  if (n == "selp") {
    operand_count(4, 4);
    const scalar t = type();
    const predicate p = predicate_source(at(3));
    const wide a = source_wide(at(1), t);
    const wide b = source_wide(at(2), t);
    if (bytes_of(t) == 8)
      assign_wide(at(0), choose_wide(p, a, b));
    else
      assign(at(0), out_.choose(p, a.low, b.low));
    return true;
  }
  if (n == "slct") {
    lower_slct();
    return true;
  }
  if (n == "vote") {
    lower_vote();
    return true;
  }
  if (n == "mov" && has("pred")) {
    operand_count(2, 2);
    under_own_guard(combine_predicates(destination_predicate(at(0)), predicate_source(at(1)), {}, logic_op::and_));
    return true;
  }
  if ((n == "and" || n == "or" || n == "xor" || n == "not") && has("pred")) {
    operand_count(n == "not" ? 2 : 3, n == "not" ? 2 : 3);
    const predicate a = predicate_source(at(1));
    const predicate to = destination_predicate(at(0));
    under_own_guard(n == "not" ? combine_predicates(to, inverse(a), {}, logic_op::and_)
                               : combine_predicates(to, a, predicate_source(at(2)), logic_named<logic_op>(n)));
    return true;
  }
  return false;
}

}  // namespace gt200::ptx
