// Single precision and the special functions.
#include <map>
#include <set>

#include "toolchain/ptx/fermi/lowering.h"
#include "toolchain/ptx/library.h"

namespace gt200::ptx::fermi {

using isa::fermi::mufu_function;
using isa::fermi::opcode;

void lowering::round_float(operation& o) const {
  o.code.ftz = flushes();
  o.code.saturate = has("sat");
  o.code.round = has("rz")   ? isa::fermi::rounding::zero
                 : has("rm") ? isa::fermi::rounding::minus
                 : has("rp") ? isa::fermi::rounding::plus
                             : isa::fermi::rounding::nearest;
  o.may_contract = !has("rz") && !has("rm") && !has("rp") && !has("rn");
}

value lowering::function_of(mufu_function which, value v) {
  const word_ref d = out_.word();
  out_.emit(opcode::mufu, d, {out_.in_register(v)}).code.function = which;
  return reg(d);
}

bool lowering::lower_float(const statement& s) {
  const std::string& n = s.name;
  static const std::set<std::string> names = {"add", "sub", "mul", "mad",  "fma", "div",      "min",
                                              "max", "neg", "abs", "sqrt", "rcp", "copysign", "testp"};
  if (names.count(n) == 0 || type() != scalar::f32) return false;
  const bool two =
      n == "add" || n == "sub" || n == "mul" || n == "div" || n == "min" || n == "max" || n == "copysign";
  const std::size_t count = n == "mad" || n == "fma" ? 4 : two ? 3 : 2;
  operand_count(count, count);
  const bool divides = n == "div" || n == "rcp" || n == "sqrt";
  if (divides && (has("rz") || has("rm") || has("rp"))) unsupported("only rounding to nearest is supported");
  if (n == "testp") unsupported("this instruction is not supported");
  const scalar t = scalar::f32;
  const word_ref d = out_.word();
  // With .ftz, operands and result of a library function pass through a product with 1.
  const auto flushed = [&](value v) {
    const word_ref r = out_.word();
    out_.emit(opcode::fmul, r, {out_.in_register(v), imm(0x3f800000)}).code.ftz = true;
    return reg(r);
  };
  if (divides && has("rn")) {
    const bool flush = flushes();
    const auto finish = [&] {
      if (!flush && !has("sat")) return call_library(n + "_f32");
      const word_ref whole = out_.word();
      operation& o = out_.emit(opcode::fmul, whole, {source(at(0), t), imm(0x3f800000)});
      o.code.ftz = flush;
      o.code.saturate = has("sat");
      assign(at(0), reg(whole));
    };
    if (!flush && !has("sat")) {
      finish();
      return true;
    }
    under_guard([&] {
      statement inner = s;
      scopes_.emplace_back();
      for (std::size_t k = 1; k < inner.operands.size() && flush; ++k) {
        symbol x;
        x.type = t;
        x.words = {flushed(source(s.operands[k], t)).reg};
        const std::string name = "%flushed" + std::to_string(k);
        scopes_.back().symbols[name] = x;
        inner.operands[k] = operand{};
        inner.operands[k].kind = operand_kind::name;
        inner.operands[k].name = name;
      }
      const statement* const written = statement_;
      statement_ = &inner;
      call_library(n + "_f32");
      statement_ = written;
      scopes_.pop_back();
      finish();
    });
    return true;
  }
  const value a = source(at(1), t);
  const value b = count > 2 ? source(at(2), t) : value{};
  if (n == "add" || n == "sub") {
    round_float(out_.emit(opcode::fadd, d, {a, n == "sub" ? negated(b) : b}));
  } else if (n == "mul") {
    round_float(out_.emit(opcode::fmul, d, {a, b}));
  } else if (n == "mad" || n == "fma") {
    round_float(out_.emit(opcode::ffma, d, {a, b, source(at(3), t)}));
  } else if (n == "div") {
    // div.full: both are divided by four where the reciprocal would be flushed to zero.
    value dividend = out_.in_register(a);
    value divisor = out_.in_register(b);
    if (has("full")) {
      constexpr std::uint32_t two_to_126 = 0x7e800000;
      constexpr std::uint32_t quarter = 0x3e800000;
      const predicate large = out_.new_predicate();
      out_.emit_test(opcode::fsetp, large, {absolute(divisor), imm(two_to_126)}).code.compare = greater;
      const value scale = out_.choose(large, imm(quarter), imm(0x3f800000));
      const auto scaled = [&](value v) {
        const word_ref r = out_.word();
        out_.emit(opcode::fmul, r, {v, scale});
        return reg(r);
      };
      dividend = scaled(dividend);
      divisor = scaled(divisor);
    }
    operation& o = out_.emit(opcode::fmul, d, {dividend, function_of(mufu_function::rcp, divisor)});
    o.code.ftz = flushes();
    o.code.saturate = has("sat");
  } else if (n == "min" || n == "max") {
    operation& o = out_.emit(opcode::fmnmx, d, {a, b});
    o.code.predicate_source[2].negate = n == "max";
    o.code.ftz = flushes();
  } else if (n == "neg" || n == "abs") {
    constexpr std::uint32_t sign = 0x80000000;
    assign(at(0), n == "neg" ? out_.logic(isa::fermi::logic_op::xor_, a, imm(sign))
                             : out_.logic(isa::fermi::logic_op::and_, a, imm(~sign)));
    return true;
  } else if (n == "copysign") {  // of the first operand
    const value sign = out_.logic(isa::fermi::logic_op::and_, a, imm(0x80000000));
    const value magnitude = out_.logic(isa::fermi::logic_op::and_, b, imm(0x7fffffff));
    assign(at(0), out_.logic(isa::fermi::logic_op::or_, sign, magnitude));
    return true;
  } else if (n == "rcp") {
    assign(at(0), function_of(mufu_function::rcp, a));
    return true;
  } else {
    assign(at(0), function_of(mufu_function::rcp, function_of(mufu_function::rsqrt, a)));
    return true;
  }
  assign(at(0), reg(d));
  return true;
}

bool lowering::lower_special(const statement& s) {
  static const std::map<std::string, mufu_function> names = {{"rsqrt", mufu_function::rsqrt},
                                                             {"lg2", mufu_function::lg2},
                                                             {"sin", mufu_function::sin},
                                                             {"cos", mufu_function::cos},
                                                             {"ex2", mufu_function::ex2}};
  const auto found = names.find(s.name);
  if (found == names.end()) return false;
  operand_count(2, 2);
  if (type() != scalar::f32) unsupported("the type must be .f32");
  value v = source(at(1), scalar::f32);
  if (s.name == "sin" || s.name == "cos" || s.name == "ex2") {
    const word_ref reduced = out_.word();
    out_.emit(opcode::rro, reduced, {{}, v}).code.range_of_ex2 = s.name == "ex2";
    v = reg(reduced);
  }
  const word_ref d = out_.word();
  operation& o = out_.emit(opcode::mufu, d, {out_.in_register(v)});
  o.code.function = found->second;
  o.code.saturate = has("sat");
  assign(at(0), reg(d));
  return true;
}

}  // namespace gt200::ptx::fermi
