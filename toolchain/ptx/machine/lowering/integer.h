// Integer arithmetic of up to 32 bits.
#pragma once

#include <set>

#include "toolchain/ptx/machine/lowering/lowering.h"

namespace gt200::ptx {

template <class logic_op>
logic_op logic_named(const std::string& name) {
  return name == "and" ? logic_op::and_ : name == "or" ? logic_op::or_ : logic_op::xor_;
}

constexpr bool is_power_of_two(std::uint32_t v) { return v != 0 && (v & (v - 1)) == 0; }

constexpr unsigned exponent_of(std::uint32_t power) {
  unsigned n = 0;
  while (power >> n != 1) ++n;
  return n;
}

template <class machine>
void word_lowering<machine>::multiply24(bool with_addend) {
  const scalar t = type();
  const bool sign = is_signed(t);
  operand_count(with_addend ? 4 : 3, with_addend ? 4 : 3);
  const value a = out_.field(source(at(1), t), 0, 24, sign);
  const value b = out_.field(source(at(2), t), 0, 24, sign);
  value result;
  if (has("hi")) {  // bits 47 to 16
    const wide product = multiply_add_wide(a, b, sign, std::nullopt);
    result = out_.logic_of(logic_op::or_, out_.shift_left(product.high, imm(16)),
                           out_.shift_right(product.low, imm(16), false));
  } else {
    result = out_.multiply(a, b);
  }
  if (with_addend) {
    const value addend = source(at(3), t);
    result = has("sat") ? add_saturated(result, addend, false) : out_.add(result, addend);
  }
  assign(at(0), result);
}

template <class machine>
void word_lowering<machine>::multiply_instruction(bool with_addend) {
  const scalar t = type();
  const bool sign = is_signed(t);
  const bool sat = has("sat");
  operand_count(with_addend ? 4 : 3, with_addend ? 4 : 3);
  if (sat && !(with_addend && has("hi") && t == scalar::s32)) unsupported("only mad.hi.sat.s32 saturates");
  const value a = extended(at(1), t);
  const value b = extended(at(2), t);
  if (has("wide") && bytes_of(t) == 4) {
    std::optional<wide> addend;
    if (with_addend) addend = source_wide(at(3), scalar::b64);
    return assign_wide(at(0), multiply_add_wide(a, b, sign, addend));
  }
  value result;
  if (has("hi") && bytes_of(t) == 4) {
    result = multiply_high(a, b, sign);
  } else {
    result = out_.multiply(a, b);
    if (has("hi")) result = out_.shift_right(result, imm(16), sign);
  }
  if (with_addend) {
    const value addend = source(at(3), has("wide") ? scalar::b32 : t);
    result = sat ? add_saturated(result, addend, false) : out_.add(result, addend);
  }
  assign(at(0), result);
}

template <class machine>
bool word_lowering<machine>::lower_integer(const statement& s) {
  const std::string& n = s.name;
  static const std::set<std::string> known = {"add",  "sub", "mul", "mad", "mul24", "mad24", "div", "rem",
                                              "min",  "max", "abs", "neg", "and",   "or",    "xor", "not",
                                              "cnot", "shl", "shr", "sad", "addc",  "subc",  "madc"};
  if (known.count(n) == 0) return false;
  if (lower_carry(s) || lower_wide(s)) return true;
  if (n == "mul24" || n == "mad24") {
    multiply24(n == "mad24");
    return true;
  }
  if (n == "mul" || n == "mad") {
    multiply_instruction(n == "mad");
    return true;
  }
  const scalar t = type();
  const bool sign = is_signed(t);
  const bool unary = n == "neg" || n == "not" || n == "abs" || n == "cnot";
  const std::size_t count = unary ? 2 : n == "sad" ? 4 : 3;
  operand_count(count, count);
  if (n == "add" || n == "sub") {
    const value a = source(at(1), t);
    const value b = source(at(2), t);
    assign(at(0), has("sat") ? add_saturated(a, b, n == "sub") : n == "add" ? out_.add(a, b) : out_.subtract(a, b));
  } else if (n == "and" || n == "or" || n == "xor") {
    assign(at(0), out_.logic_of(logic_named<logic_op>(n), source(at(1), t), source(at(2), t)));
  } else if (n == "not") {
    assign(at(0), complement(source(at(1), t)));
  } else if (n == "cnot") {
    const predicate p = out_.compare(equal, extended(at(1), t), imm(0), false);
    assign(at(0), out_.choose(p, imm(1), imm(0)));
  } else if (n == "neg") {
    assign(at(0), out_.subtract(imm(0), source(at(1), t)));
  } else if (n == "abs") {
    const value v = out_.in_register(extended(at(1), t));
    assign(at(0), out_.extreme(true, v, out_.subtract(imm(0), v), true));
  } else if (n == "min" || n == "max") {
    assign(at(0), out_.extreme(n == "max", extended(at(1), t), extended(at(2), t), sign));
  } else if (n == "shl") {
    assign(at(0), out_.shift_left(source(at(1), t), source(at(2), scalar::u32)));
  } else if (n == "shr") {
    assign(at(0), out_.shift_right(extended(at(1), t), source(at(2), scalar::u32), sign));
  } else if (n == "sad") {
    assign(at(0), difference_sum(extended(at(1), t), extended(at(2), t), source(at(3), t), sign));
  } else {
    const bool remainder = n == "rem";
    const value divisor = extended(at(2), t);
    if (divisor.is_immediate() && is_power_of_two(divisor.immediate()) &&
        (!sign || divisor.immediate() >> 31 == 0)) {
      // A negative number first gets 2^n - 1 added, so that it rounds towards zero.
      const unsigned shift = exponent_of(divisor.immediate());
      const value a = out_.in_register(extended(at(1), t));
      value rounded = a;
      if (sign && shift > 0)
        rounded = out_.add(a, out_.shift_right(out_.shift_right(a, imm(31), true), imm(32 - shift), false));
      if (!remainder) {
        assign(at(0), out_.shift_right(rounded, imm(shift), sign));
      } else {
        const std::uint32_t below = divisor.immediate() - 1;
        const value part = out_.logic_of(logic_op::and_, rounded, imm(sign ? ~below : below));
        assign(at(0), sign ? out_.subtract(a, part) : part);
      }
      return true;
    }
    if (bytes_of(t) == 4) {
      call_library(n + (sign ? "_s32" : "_u32"));
    } else {
      call_library(n + (sign ? "_s16" : "_u16"));
    }
  }
  return true;
}

}  // namespace gt200::ptx
