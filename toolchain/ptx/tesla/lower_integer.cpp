// Integer arithmetic, logic and shifts.
#include "toolchain/ptx/tesla/lowering.h"

namespace gt200::ptx::tesla {

using isa::tesla::logic_op;
using isa::tesla::opcode;

namespace {

opcode min_or_max(const std::string& name) { return name == "min" ? opcode::min : opcode::max; }

logic_op logic_named(const std::string& name) {
  return name == "and" ? logic_op::and_ : name == "or" ? logic_op::or_ : logic_op::xor_;
}

}  // namespace

// Upper 32 bits, from four products of halves; no partial sum exceeds 32 bits.
value lowering::multiply_high(value a, value b, bool is_signed) {
  if (a.is_immediate()) a = out_.copy(a);
  if (b.is_immediate()) b = out_.copy(b);
  const value low = out_.multiply16(low_half(a), low_half(b));
  const value middle = out_.multiply_add16(high_half(a), low_half(b), out_.shift_right(low, imm(16), false));
  const value middle2 =
      out_.multiply_add16(low_half(a), high_half(b), out_.logic(logic_op::and_, middle, imm(0xffff)));
  const value high = out_.multiply_add16(high_half(a), high_half(b), out_.shift_right(middle, imm(16), false));
  value result = out_.add(high, out_.shift_right(middle2, imm(16), false));
  if (!is_signed) return result;
  const value sign_a = out_.shift_right(a, imm(31), true);
  const value sign_b = out_.shift_right(b, imm(31), true);
  result = out_.subtract(result, out_.logic(logic_op::and_, sign_a, b));
  return out_.subtract(result, out_.logic(logic_op::and_, sign_b, a));
}

lowering::wide lowering::multiply_wide(value a, value b, bool is_signed) {
  return {out_.multiply(a, b), multiply_high(a, b, is_signed)};
}

// Unsigned quotient: two estimates from the reciprocal, both rounded down, then one correction.
//
// y < 1 / b with a relative error below 2^-21, so the first estimate leaves a remainder below b + a * 2^-21 and the
// second one below b + b * 2^-21 + 2^-10 < 2 b.
value lowering::divide(value a, value b, bool is_signed, bool remainder) {
  const value a_word = out_.copy(a);
  const value b_word = out_.copy(b);
  a = a_word;
  b = b_word;
  const auto magnitude = [&](value v) {
    const value sign = out_.shift_right(v, imm(31), true);
    return out_.subtract(out_.logic(logic_op::xor_, v, sign), sign);
  };
  const value dividend = is_signed ? magnitude(a) : a;
  const value divisor = is_signed ? magnitude(b) : b;
  const auto to_float = [&](value v, isa::tesla::rounding round) {
    const word_ref d = out_.word();
    operation& o = out_.emit(opcode::cvt, d, {v});
    o.code.cvt = isa::tesla::cvt_kind::i2f;
    o.code.round = round;
    return reg(d);
  };
  const auto estimate = [&](value v, value reciprocal) {
    const word_ref product = out_.word();
    out_.emit(opcode::fmul, product, {to_float(v, isa::tesla::rounding::zero), reciprocal}).code.round =
        isa::tesla::rounding::zero;
    const word_ref d = out_.word();
    operation& o = out_.emit(opcode::cvt, d, {reg(product)});
    o.code.cvt = isa::tesla::cvt_kind::f2i;
    o.code.round = isa::tesla::rounding::zero;
    return reg(d);
  };
  const word_ref raw = out_.word();
  out_.emit(opcode::rcp, raw, {to_float(divisor, isa::tesla::rounding::plus)});
  const value reciprocal = out_.add(reg(raw), imm(0u - 2u));  // two units in the last place down
  const value first = estimate(dividend, reciprocal);
  const value rest = out_.subtract(dividend, out_.multiply(first, divisor));
  const value second = estimate(rest, reciprocal);
  const value rest2 = out_.subtract(rest, out_.multiply(second, divisor));
  const predicate too_small = out_.compare(6, rest2, divisor, false);
  value result;
  if (remainder) {
    result = out_.choose(too_small, out_.subtract(rest2, divisor), rest2);
  } else {
    // A true comparison gives the mask -1, which is subtracted.
    result = out_.subtract(out_.add(first, second), reg(too_small.mask));
  }
  if (!is_signed) return result;
  const value sign = out_.shift_right(remainder ? a : out_.logic(logic_op::xor_, a, b), imm(31), true);
  return out_.subtract(out_.logic(logic_op::xor_, result, sign), sign);
}

// Divides by 2^n with a shift. A negative number first gets 2^n - 1 added, so that it rounds towards zero.
value lowering::divide_by_power(value a, std::uint32_t divisor, bool is_signed, bool remainder) {
  std::uint32_t shift = 0;
  while (divisor >> shift != 1) ++shift;
  a = out_.copy(a);
  value rounded = a;
  if (is_signed && shift > 0) {
    const value bias = out_.shift_right(out_.shift_right(a, imm(31), true), imm(32 - shift), false);
    rounded = out_.add(a, bias);
  }
  if (!remainder) return out_.shift_right(rounded, imm(shift), is_signed);
  const value lower = out_.logic(logic_op::and_, rounded, imm(is_signed ? ~(divisor - 1) : divisor - 1));
  return is_signed ? out_.subtract(a, lower) : lower;
}

void lowering::multiply_instruction(const statement& s, bool with_addend) {
  const scalar t = type();
  const bool sign = is_signed(t);
  operand_count(with_addend ? 4 : 3, with_addend ? 4 : 3);
  const bool sat = has("sat");
  if (sat && !(with_addend && has("hi") && t == scalar::s32)) unsupported("only mad.hi.sat.s32 saturates");
  const auto sum = [&](value product, value addend) {
    if (!sat) return out_.add(product, addend);
    const word_ref d = out_.word();
    out_.emit(opcode::add, d, {out_.copy(product), out_.copy(addend)}).code.saturate = true;
    return reg(d);
  };
  if (s.name == "mul24" || s.name == "mad24") {
    const word_ref d = out_.word();
    operation& o = out_.emit(opcode::mul24, d, {source(at(1), t), source(at(2), t)});
    o.code.is_signed = sign;
    o.code.source_signed = {sign, sign};
    o.code.high = has("hi");
    value result = reg(d);
    if (with_addend) result = sum(result, source(at(3), t));
    return assign(at(0), result);
  }
  if (bytes_of(t) == 8) {
    const wide a = source_wide(at(1), t);
    const wide b = source_wide(at(2), t);
    if (has("hi")) return call_library((with_addend ? "mad_hi_" : "mul_hi_") + std::string(sign ? "s64" : "u64"));
    wide result = multiply_wide(a.low, b.low, false);
    const value crossed = out_.add(out_.multiply(a.low, b.high), out_.multiply(a.high, b.low));
    result.high = out_.add(result.high, crossed);
    if (with_addend) result = add_wide(result, source_wide(at(3), t));
    return assign_wide(at(0), result);
  }
  value a = extended(at(1), t);
  value b = extended(at(2), t);
  if (has("wide")) {
    if (bytes_of(t) == 2) {
      value product = out_.multiply(a, b);
      if (with_addend) product = out_.add(product, source(at(3), scalar::b32));
      return assign(at(0), product);
    }
    wide result = multiply_wide(a, b, sign);
    if (with_addend) result = add_wide(result, source_wide(at(3), scalar::b64));
    return assign_wide(at(0), result);
  }
  value result;
  if (has("hi"))
    result = bytes_of(t) == 2 ? out_.shift_right(out_.multiply(a, b), imm(16), sign) : multiply_high(a, b, sign);
  else
    result = out_.multiply(a, b);
  if (with_addend) result = sum(result, source(at(3), t));
  assign(at(0), result);
}

// CC.CF is the carry of the $c register that the last .cc instruction of the block wrote. The hardware subtracts by
// adding the inverse, so its carry is the inverse of a borrow.
bool lowering::lower_carry(const statement& s) {
  if ((s.name == "mad" && has("cc")) || s.name == "madc") unsupported("needs sm_20");
  const bool takes = s.name == "addc" || s.name == "subc";
  if (!takes && (!has("cc") || (s.name != "add" && s.name != "sub"))) return false;
  operand_count(3, 3);
  if (is_float(type()) || bytes_of(type()) != 4) unsupported("the type must have 32 or 64 bits");
  if (guard_.condition >= 0) unsupported("a carry flag under a guard needs sm_20");
  const bool subtracts = s.name == "sub" || s.name == "subc";
  if (takes && (carry_ < 0 || carry_block_ != out_.current() || carry_is_borrow_ != subtracts))
    unsupported(std::string("expected ") + (subtracts ? "sub.cc" : "add.cc") + " before it in the same block");
  const value a = out_.copy(source(at(1), type()));
  const value b = out_.copy(source(at(2), type()));
  const word_ref d = out_.word();
  const int carry = has("cc") ? out_.condition() : -1;
  const opcode op = takes ? opcode::addc : subtracts ? opcode::sub : opcode::add;
  operation* o = nullptr;
  if (takes && subtracts) {
    const value inverse = out_.logic(logic_op::xor_, b, imm(0xffffffff));
    o = &out_.emit(op, d, {a, inverse});
  } else {
    o = &out_.emit(op, d, {a, b});
  }
  if (takes) {
    o->code.addend = isa::tesla::addend_mode::addc;
    o->condition_in = carry_;
  }
  o->condition_out = carry;
  if (carry >= 0) {
    carry_ = carry;
    carry_block_ = out_.current();
    carry_is_borrow_ = subtracts;
  }
  assign(at(0), reg(d));
  return true;
}

bool lowering::lower_integer(const statement& s) {
  const std::string& n = s.name;
  if (lower_carry(s)) return true;
  if (n == "mul" || n == "mul24") {
    multiply_instruction(s, false);
    return true;
  }
  if (n == "mad" || n == "mad24") {
    multiply_instruction(s, true);
    return true;
  }
  static const std::set<std::string> known = {"add", "sub", "div", "rem", "min",  "max", "abs", "neg",
                                              "and", "or",  "xor", "not", "cnot", "shl", "shr", "sad"};
  if (known.count(n) == 0) return false;
  const scalar t = type();
  if (bytes_of(t) == 8) {
    wide_instruction(s, t);
    return true;
  }
  const bool sign = is_signed(t);
  if (n == "neg" || n == "not" || n == "abs" || n == "cnot")
    operand_count(2, 2);
  else if (n == "sad")
    operand_count(4, 4);
  else
    operand_count(3, 3);

  if (n == "add" || n == "sub") {
    const value a = source(at(1), t);
    const value b = source(at(2), t);
    if (has("sat")) {
      const word_ref d = out_.word();
      out_.emit(n == "add" ? opcode::add : opcode::sub, d, {out_.copy(a), out_.copy(b)}).code.saturate = true;
      assign(at(0), reg(d));
    } else {
      assign(at(0), n == "add" ? out_.add(a, b) : out_.subtract(a, b));
    }
  } else if (n == "and" || n == "or" || n == "xor") {
    assign(at(0), out_.logic(logic_named(n), source(at(1), t), source(at(2), t)));
  } else if (n == "not") {
    assign(at(0), out_.logic(logic_op::xor_, source(at(1), t), imm(0xffffffff)));
  } else if (n == "cnot") {
    const predicate p = out_.compare(2, extended(at(1), t), imm(0), false);
    assign(at(0), out_.logic(logic_op::and_, reg(p.mask), imm(1)));
  } else if (n == "neg") {
    assign(at(0), out_.subtract(imm(0), source(at(1), t)));
  } else if (n == "abs") {
    const value v = extended(at(1), t);
    assign(at(0), out_.minimum(opcode::max, v, out_.subtract(imm(0), v), true));
  } else if (n == "min" || n == "max") {
    assign(at(0), out_.minimum(min_or_max(n), extended(at(1), t), extended(at(2), t), sign));
  } else if (n == "shl") {
    assign(at(0), out_.shift_left(source(at(1), t), source(at(2), scalar::u32)));
  } else if (n == "shr") {
    assign(at(0), out_.shift_right(extended(at(1), t), source(at(2), scalar::u32), sign));
  } else if (n == "div" || n == "rem") {
    const value divisor = extended(at(2), t);
    const value dividend = extended(at(1), t);
    const bool is_power = divisor.is_immediate() && divisor.immediate() != 0 &&
                          (divisor.immediate() & (divisor.immediate() - 1)) == 0 &&
                          (!sign || divisor.immediate() >> 31 == 0);
    assign(at(0), is_power ? divide_by_power(dividend, divisor.immediate(), sign, n == "rem")
                           : divide(dividend, divisor, sign, n == "rem"));
  } else {
    const value a = extended(at(1), t);
    const value b = extended(at(2), t);
    const value difference =
        out_.subtract(out_.minimum(opcode::max, a, b, sign), out_.minimum(opcode::min, a, b, sign));
    assign(at(0), out_.add(difference, source(at(3), t)));
  }
  return true;
}

}  // namespace gt200::ptx::tesla
