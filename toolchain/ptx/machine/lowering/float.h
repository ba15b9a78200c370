// Single precision and the special functions.
#pragma once

#include <map>
#include <set>

#include "toolchain/ptx/library.h"
#include "toolchain/ptx/machine/lowering/lowering.h"

namespace gt200::ptx {

template <class machine>
void word_lowering<machine>::round_float(operation& o) const {
  o.code.ftz = flushes();
  o.code.saturate = has("sat");
  o.code.round = has("rz")   ? rounding::zero
                 : has("rm") ? rounding::minus
                 : has("rp") ? rounding::plus
                             : rounding::nearest;
  o.may_contract = !has("rz") && !has("rm") && !has("rp") && !has("rn");
}

// "_rz", "_rm" or "_rp"; empty for the rounding to nearest.
template <class machine>
std::string word_lowering<machine>::directed_rounding() const {
  for (const char* mode : {"rz", "rm", "rp"})
    if (has(mode)) return std::string("_") + mode;
  return {};
}

// testp: what kind of number this is, from its bits.
template <class machine>
bool word_lowering<machine>::lower_testp(const statement& s) {
  if (s.name != "testp") return false;
  operand_count(2, 2);
  const scalar t = type();
  if (!is_float(t) || s.modifiers.size() != 2) unsupported("expected one property, and .f32 or .f64");
  const std::string& property = s.modifiers[0];
  const predicate to = destination_predicate(at(0));
  const bool is_double = t == scalar::f64;
  const std::uint32_t unit = is_double ? 0x00100000 : 0x00800000;  // of the exponent, in the upper word
  const std::uint32_t infinity = is_double ? 0x7ff00000 : 0x7f800000;
  const wide bits = source_wide(at(1), t);
  const value high = out_.logic_of(logic_op::and_, is_double ? bits.high : bits.low, imm(0x7fffffff));
  const auto test = [&](unsigned condition, value x, std::uint32_t limit) {
    const value left = out_.in_register(x);
    operation& o = out_.emit_test(opcode::isetp, to, {left, imm(limit)});
    o.code.compare = static_cast<std::uint8_t>(condition);
    under_own_guard(o);
    return true;
  };
  // All bits but the sign, as a number of 32 or 64 bits.
  const auto test_all = [&](unsigned condition, wide x, std::uint32_t upper, std::uint32_t lower) {
    if (!is_double) return test(condition, x.high, upper);
    const wide limit = {out_.copy(imm(lower)), out_.copy(imm(upper))};
    x = {out_.in_register(x.low), out_.in_register(x.high)};
    under_own_guard(compare_wide(condition, x, limit, false, to));
    return true;
  };
  const wide magnitude = {bits.low, high};
  if (property == "finite") return test(less, high, infinity);
  if (property == "normal") return test(less, out_.subtract(high, imm(unit)), infinity - unit);
  if (property == "infinite") return test_all(equal, magnitude, infinity, 0);
  if (property == "number") return test_all(less_or_equal, magnitude, infinity, 0);
  if (property == "notanumber") return test_all(greater, magnitude, infinity, 0);
  if (property != "subnormal") unsupported("'." + property + "' is no property of a number");
  // One less, zero is beyond all of them.
  if (!is_double) return test(less, out_.subtract(high, imm(1)), unit - 1);
  const wide one_less = add_wide({out_.in_register(bits.low), out_.in_register(high)}, {imm(~0u), imm(~0u)});
  return test_all(less, one_less, unit - 1, ~0u);
}

template <class machine>
bool word_lowering<machine>::lower_float(const statement& s) {
  const std::string& n = s.name;
  static const std::set<std::string> names = {"add", "sub", "mul", "mad",  "fma", "div",     "min",
                                              "max", "neg", "abs", "sqrt", "rcp", "copysign"};
  if (names.count(n) == 0 || type() != scalar::f32) return false;
  const bool two =
      n == "add" || n == "sub" || n == "mul" || n == "div" || n == "min" || n == "max" || n == "copysign";
  const std::size_t count = n == "mad" || n == "fma" ? 4 : two ? 3 : 2;
  operand_count(count, count);
  const bool divides = n == "div" || n == "rcp" || n == "sqrt";
  const scalar t = scalar::f32;
  if (divides && (has("rn") || !directed_rounding().empty())) return lower_division();
  const value a = source(at(1), t);
  const value b = count > 2 ? source(at(2), t) : value{};
  const word_ref d = out_.word();
  if (n == "add" || n == "sub") {
    round_float(out_.emit(opcode::fadd, d, {a, n == "sub" ? b.negated() : b}));
  } else if (n == "mul") {
    round_float(out_.emit(opcode::fmul, d, {a, b}));
  } else if (n == "mad" || n == "fma") {
    round_float(out_.emit(opcode::ffma, d, {a, b, source(at(3), t)}));
  } else if (n == "div") {
    const value quotient = divided(out_.in_register(a), out_.in_register(b));
    operation& o = out_.here().code.back();
    o.code.ftz = flushes();
    o.code.saturate = has("sat");
    assign(at(0), quotient);
    return true;
  } else if (n == "min" || n == "max") {
    operation& o = out_.emit(opcode::fmnmx, d, {a, b});
    o.code.predicate_source[machine::predicate_slot].negate = n == "max";
    o.code.ftz = flushes();
  } else if (n == "neg" || n == "abs") {
    constexpr std::uint32_t sign = 0x80000000;
    if (has("ftz")) {  // x + -0 is x
      const value x = out_.in_register(a);
      out_.emit(opcode::fadd, d, {n == "neg" ? x.negated() : x.absolute(), imm(sign)}).code.ftz = true;
      assign(at(0), reg(d));
      return true;
    }
    assign(at(0),
           n == "neg" ? out_.logic_of(logic_op::xor_, a, imm(sign)) : out_.logic_of(logic_op::and_, a, imm(~sign)));
    return true;
  } else if (n == "copysign") {  // of the first operand
    const value sign = out_.logic_of(logic_op::and_, a, imm(0x80000000));
    const value magnitude = out_.logic_of(logic_op::and_, b, imm(0x7fffffff));
    assign(at(0), out_.logic_of(logic_op::or_, sign, magnitude));
    return true;
  } else if (n == "rcp") {
    assign(at(0), function_of(machine::functions::rcp, a));
    return true;
  } else {
    assign(at(0), function_of(machine::functions::rcp, function_of(machine::functions::rsqrt, a)));
    return true;
  }
  assign(at(0), reg(d));
  return true;
}

// IEEE division, reciprocal and root are functions of the library. With .ftz, operands and result pass through a
// product with 1.
template <class machine>
bool word_lowering<machine>::lower_division() {
  const statement& s = *statement_;
  const scalar t = scalar::f32;
  const std::string name = s.name + directed_rounding() + "_f32";
  const bool flush = flushes();
  if (!flush && !has("sat")) {
    call_library(name);
    return true;
  }
  const auto flushed = [&](value v) {
    const word_ref r = out_.word();
    out_.emit(opcode::fmul, r, {out_.in_register(v), imm(0x3f800000)}).code.ftz = true;
    return reg(r);
  };
  under_guard([&] {
    statement inner = s;
    scopes_.emplace_back();
    for (std::size_t k = 1; k < inner.operands.size() && flush; ++k) {
      symbol x;
      x.type = t;
      x.words = {flushed(source(s.operands[k], t)).reg};
      const std::string own = "%flushed" + std::to_string(k);
      scopes_.back().symbols[own] = x;
      inner.operands[k] = operand{};
      inner.operands[k].kind = operand_kind::name;
      inner.operands[k].name = own;
    }
    const statement* const written = statement_;
    statement_ = &inner;
    call_library(name);
    statement_ = written;
    scopes_.pop_back();
    const word_ref whole = out_.word();
    operation& o = out_.emit(opcode::fmul, whole, {source(at(0), t), imm(0x3f800000)});
    o.code.ftz = flush;
    o.code.saturate = has("sat");
    assign(at(0), reg(whole));
  });
  return true;
}

// div.approx and div.full. The product is the last operation. div.full: both are divided by four where the
// reciprocal would be flushed to zero.
template <class machine>
auto word_lowering<machine>::divided(value dividend, value divisor) -> value {
  if (has("full")) {
    constexpr std::uint32_t two_to_126 = 0x7e800000;
    constexpr std::uint32_t quarter = 0x3e800000;
    const predicate large = out_.new_predicate();
    out_.emit_test(opcode::fsetp, large, {divisor.absolute(), imm(two_to_126)}).code.compare = greater;
    const value scale = out_.choose(large, imm(quarter), imm(0x3f800000));
    const auto scaled = [&](value v) {
      const word_ref r = out_.word();
      out_.emit(opcode::fmul, r, {v, scale});
      return reg(r);
    };
    dividend = scaled(dividend);
    divisor = scaled(divisor);
  }
  const value reciprocal = function_of(machine::functions::rcp, divisor);
  const word_ref d = out_.word();
  out_.emit(opcode::fmul, d, {dividend, reciprocal});
  return reg(d);
}

template <class machine>
bool word_lowering<machine>::lower_special(const statement& s) {
  using functions = typename machine::functions;
  static const std::map<std::string, mufu_function> names = {{"rsqrt", functions::rsqrt},
                                                             {"lg2", functions::lg2},
                                                             {"sin", functions::sin},
                                                             {"cos", functions::cos},
                                                             {"ex2", functions::ex2}};
  const auto found = names.find(s.name);
  if (found == names.end()) return false;
  operand_count(2, 2);
  if (type() != scalar::f32) unsupported("the type must be .f32");
  assign(at(0), special_function(found->second, source(at(1), scalar::f32), has("sat")));
  return true;
}

}  // namespace gt200::ptx
