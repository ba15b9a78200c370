// Single precision and the special functions.
#include "toolchain/ptx/tesla/lowering.h"

namespace gt200::ptx::tesla {

using isa::tesla::logic_op;
using isa::tesla::opcode;

bool lowering::lower_float(const statement& s) {
  const std::string& n = s.name;
  static const std::map<std::string, opcode> special = {{"rcp", opcode::rcp}, {"rsqrt", opcode::rsqrt},
                                                        {"lg2", opcode::lg2}, {"sin", opcode::sin},
                                                        {"cos", opcode::cos}, {"ex2", opcode::ex2}};
  static const std::set<std::string> names = {"add", "sub", "mul", "mad", "fma",  "div",
                                              "min", "max", "neg", "abs", "sqrt", "frc"};
  if (names.count(n) == 0 && special.count(n) == 0) return false;
  const scalar t = type();
  if (t != scalar::f32) {
    if (special.count(n) != 0) unsupported("the type must be .f32");
    return false;
  }
  if ((n == "div" || n == "sqrt" || n == "rcp") && (has("rz") || has("rm") || has("rp")))
    unsupported("rounding other than to nearest needs sm_20");
  const bool two = n == "add" || n == "sub" || n == "mul" || n == "div" || n == "min" || n == "max";
  const std::size_t count = n == "mad" || n == "fma" ? 4 : two ? 3 : 2;
  operand_count(count, count);
  // The fused multiply-add, and IEEE division and square root.
  if (n == "fma" || ((n == "div" || n == "sqrt" || n == "rcp") && has("rn"))) {
    if (n == "fma" && !has("rn")) unsupported("rounding other than to nearest needs sm_20");
    if (n == "fma") note_exact_fma();
    const auto call = [&] { call_library(n + "_f32"); };
    const auto call_and_saturate = [&] {
      call();
      assign(at(0), saturated(source(at(0), t)));
    };
    if (has("sat"))
      under_guard(call_and_saturate);
    else
      call();
    return true;
  }
  const value a = source(at(1), t);
  const value b = count > 2 ? source(at(2), t) : value{};
  isa::tesla::rounding round = isa::tesla::rounding::nearest;
  if (has("rz")) round = isa::tesla::rounding::zero;
  // Compilers for this hardware accept any rounding on a multiply-add, although the hardware has only its own.
  if (n != "mad" && (has("rm") || has("rp")))
    unsupported("rounding of .f32 other than to nearest or towards zero needs sm_20");
  const word_ref d = out_.word();
  const auto unary = [&](opcode op, value v) {
    const word_ref r = out_.word();
    out_.emit(op, r, {v});
    return reg(r);
  };
  if (n == "add" || n == "sub") {
    operation& o = out_.emit(opcode::fadd, d, {a, n == "sub" ? negated(b) : b});
    o.code.round = round;
    o.rounds_explicitly = (has("rn") && !options_.ignore_nearest) || has("rz");
  } else if (n == "mul") {
    operation& o = out_.emit(opcode::fmul, d, {a, b});
    o.code.round = round;
    o.rounds_explicitly = (has("rn") && !options_.ignore_nearest) || has("rz");
  } else if (n == "mad") {
    out_.emit(opcode::fmad, d, {a, b, source(at(3), t)});
  } else if (n == "div") {
    const quotient q = has("full") ? within_reach_of_rcp(a, b) : quotient{a, b};
    out_.emit(opcode::fmul, d, {q.dividend, unary(opcode::rcp, out_.copy(q.divisor))});
  } else if (n == "min" || n == "max") {
    out_.emit(n == "min" ? opcode::fmin : opcode::fmax, d, {a, b});
  } else if (n == "neg") {
    const value negative = out_.logic(logic_op::xor_, a, imm(0x80000000));
    assign(at(0), has("ftz") ? flushed(negative) : negative);
    return true;
  } else if (n == "abs") {
    const value magnitude = out_.logic(logic_op::and_, a, imm(0x7fffffff));
    assign(at(0), has("ftz") ? flushed(magnitude) : magnitude);
    return true;
  } else if (n == "sqrt") {
    out_.emit(opcode::rcp, d, {unary(opcode::rsqrt, out_.copy(a))});
  } else if (n == "sin" || n == "cos") {
    out_.emit(special.at(n), d, {unary(opcode::presin, a)});
  } else if (n == "ex2") {
    out_.emit(opcode::ex2, d, {unary(opcode::preex2, a)}).code.saturate = has("sat");
  } else if (special.count(n) != 0) {
    out_.emit(special.at(n), d, {out_.copy(a)});
  } else if (n == "frc") {
    const word_ref floor = out_.word();
    operation& c = out_.emit(opcode::cvt, floor, {a});
    c.code.cvt = isa::tesla::cvt_kind::f2f;
    c.code.integral_round = true;
    c.code.round = isa::tesla::rounding::minus;
    out_.emit(opcode::fadd, d, {a, negated(reg(floor))});
  } else {
    unsupported("this instruction is not supported");
  }
  // Saturating add, mul and mad of GT200 keep the NaN of 0 x inf and of inf - inf. The saturating conversion and
  // ex2 turn it into zero, as PTX demands.
  assign(at(0), has("sat") && n != "ex2" ? saturated(reg(d)) : reg(d));
  return true;
}

// The reciprocal of a divisor above 2^126 would be flushed to zero, so such a divisor and its dividend are divided
// by four. A dividend that underflows by that has a quotient of zero anyway.
lowering::quotient lowering::within_reach_of_rcp(value dividend, value divisor) {
  constexpr std::uint32_t two_to_126 = 0x7e800000;
  constexpr std::uint32_t quarter = 0x3e800000;
  if (divisor.is_immediate() && (divisor.immediate() & 0x7fffffff) <= two_to_126) return {dividend, divisor};
  const quotient q = {out_.copy(dividend), out_.copy(divisor)};
  const predicate large = out_.new_predicate();
  operation& o = out_.emit(opcode::fset, large.mask, {q.divisor, imm(two_to_126)});
  o.code.source[0].absolute = true;
  o.code.compare = 4;  // greater
  o.condition_out = large.condition;
  for (const value& v : {q.dividend, q.divisor}) out_.emit_guarded(opcode::fmul, v.reg, {v, imm(quarter)}, large);
  return q;
}

// Zero, with its sign, for a denormal: x + -0 is x, and additions of this hardware flush.
value lowering::flushed(value v) {
  const word_ref d = out_.word();
  out_.emit(opcode::fadd, d, {out_.copy(v), imm(0x80000000)});
  return reg(d);
}

value lowering::saturated(value v) {
  const word_ref d = out_.word();
  operation& o = out_.emit(opcode::cvt, d, {v});
  o.code.cvt = isa::tesla::cvt_kind::f2f;
  o.code.saturate = true;
  return reg(d);
}

void lowering::note_exact_fma() {
  if (function_.exact_fmas++ == 0)
    function_.first_exact_fma = statement_->source_line != 0 ? statement_->source_line : statement_->where.line;
}

}  // namespace gt200::ptx::tesla
