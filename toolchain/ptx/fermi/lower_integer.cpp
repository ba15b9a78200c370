// Integer arithmetic of up to 32 bits.
#include <set>

#include "toolchain/ptx/fermi/lowering.h"

namespace gt200::ptx::fermi {

using isa::fermi::addend_mode;
using isa::fermi::logic_op;
using isa::fermi::opcode;

namespace {

logic_op logic_named(const std::string& name) {
  return name == "and" ? logic_op::and_ : name == "or" ? logic_op::or_ : logic_op::xor_;
}

bool is_power_of_two(std::uint32_t v) { return v != 0 && (v & (v - 1)) == 0; }

unsigned exponent_of(std::uint32_t power) {
  unsigned n = 0;
  while (power >> n != 1) ++n;
  return n;
}

}  // namespace

void lowering::multiply24(bool with_addend) {
  const scalar t = type();
  const bool sign = is_signed(t);
  operand_count(with_addend ? 4 : 3, with_addend ? 4 : 3);
  const value a = out_.field(source(at(1), t), 0, 24, sign);
  const value b = out_.field(source(at(2), t), 0, 24, sign);
  value result;
  if (has("hi")) {  // bits 47 to 16
    const wide product = multiply_add_wide(a, b, sign, std::nullopt);
    result = out_.logic(logic_op::or_, out_.shift_left(product.high, imm(16)),
                        out_.shift_right(product.low, imm(16), false));
  } else {
    result = out_.multiply(a, b);
  }
  if (with_addend) {
    const value addend = source(at(3), t);
    if (has("sat")) {
      const word_ref d = out_.word();
      out_.emit(opcode::iadd, d, {result, addend}).code.saturate = true;
      result = reg(d);
    } else {
      result = out_.add(result, addend);
    }
  }
  assign(at(0), result);
}

void lowering::multiply_instruction(bool with_addend) {
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
    const word_ref d = out_.word();
    operation& o = out_.emit(opcode::imul, d, {out_.in_register(a), b});
    o.code.high = true;
    o.code.source_signed = {sign, sign};
    result = reg(d);
  } else {
    result = out_.multiply(a, b);
    if (has("hi")) result = out_.shift_right(result, imm(16), sign);
  }
  if (with_addend) {
    const value addend = source(at(3), has("wide") ? scalar::b32 : t);
    if (sat) {
      const word_ref d = out_.word();
      out_.emit(opcode::iadd, d, {result, addend}).code.saturate = true;
      result = reg(d);
    } else {
      result = out_.add(result, addend);
    }
  }
  assign(at(0), result);
}

// CC.CF: the carry of $c right behind the instruction that made it, else its copy in a register. The hardware
// subtracts by adding the inverse, so its carry is the inverse of a borrow.
bool lowering::lower_carry(const statement& s) {
  const std::string& n = s.name;
  const bool multiplies = n == "madc" || (n == "mad" && has("cc"));
  const bool takes = n == "addc" || n == "subc" || n == "madc";
  if (!multiplies && !takes && (!has("cc") || (n != "add" && n != "sub"))) return false;
  operand_count(multiplies ? 4 : 3, multiplies ? 4 : 3);
  const scalar t = type();
  if (is_float(t) || bytes_of(t) != 4) unsupported("the type must have 32 bits");
  if (guard_.condition >= 0) unsupported("carry flags under a guard are not supported");
  const bool subtracts = n == "sub" || n == "subc";
  if (takes && carry_word_.reg < 0) unsupported("expected an instruction with .cc before it");
  const value a = source(at(1), t);
  const value b = source(at(2), t);
  const value c = multiplies ? source(at(3), t) : value{};
  value x = out_.in_register(a);
  int carry = -1;
  if (takes) {
    // 0xffffffff + carry sets the flag again.
    carry = out_.carry();
    operation& again = out_.emit(opcode::iadd, out_.word(), {reg(carry_word_), imm(0xffffffff)});
    again.carry_out = carry;
    again.code.writes_condition_code = true;
  }
  const word_ref d = out_.word();
  operation* o = nullptr;
  if (multiplies) {
    o = &out_.emit(opcode::imad, d, {x, b, out_.in_register(c)});
    o->code.high = has("hi");
    o->code.source_signed = {is_signed(t), is_signed(t)};
  } else {
    o = &out_.emit(opcode::iadd, d, {x, b});
    if (subtracts) o->code.addend = addend_mode::sub;
  }
  if (takes) {
    o->carry_in = carry;
    o->code.carry_in = true;
  }
  if (has("cc")) {
    const int made = out_.carry();
    o->carry_out = made;
    o->code.writes_condition_code = true;
    if (carry_word_.reg < 0) carry_word_ = out_.word();
    operation& kept = out_.emit(opcode::iadd, carry_word_, {zero(), zero()});
    kept.carry_in = made;
    kept.code.carry_in = true;
  }
  assign(at(0), reg(d));
  return true;
}

bool lowering::lower_integer(const statement& s) {
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
    if (has("sat")) {
      const word_ref d = out_.word();
      operation& o = out_.emit(opcode::iadd, d, {a, b});
      o.code.saturate = true;
      if (n == "sub") o.code.addend = addend_mode::sub;
      assign(at(0), reg(d));
    } else {
      assign(at(0), n == "add" ? out_.add(a, b) : out_.subtract(a, b));
    }
  } else if (n == "and" || n == "or" || n == "xor") {
    assign(at(0), out_.logic(logic_named(n), source(at(1), t), source(at(2), t)));
  } else if (n == "not") {
    const word_ref d = out_.word();
    out_.emit(opcode::lop, d, {zero(), inverted(source(at(1), t))}).code.logic = logic_op::second;
    assign(at(0), reg(d));
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
    const word_ref d = out_.word();
    out_.emit(opcode::isad, d, {extended(at(1), t), extended(at(2), t), source(at(3), t)}).code.is_signed = sign;
    assign(at(0), reg(d));
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
        const value part = out_.logic(logic_op::and_, rounded, imm(sign ? ~below : below));
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

}  // namespace gt200::ptx::fermi
