// Integer arithmetic of up to 32 bits.
#include "toolchain/ptx/fermi/lowering.h"

namespace gt200::ptx::fermi {

using isa::fermi::addend_mode;

value lowering::add_saturated(value a, value b, bool subtracts) {
  const word_ref d = out_.word();
  operation& o = out_.emit(opcode::iadd, d, {a, b});
  o.code.saturate = true;
  if (subtracts) o.code.addend = addend_mode::sub;
  return reg(d);
}

value lowering::multiply_high(value a, value b, bool is_signed) {
  const word_ref d = out_.word();
  operation& o = out_.emit(opcode::imul, d, {out_.in_register(a), b});
  o.code.high = true;
  o.code.source_signed = {is_signed, is_signed};
  return reg(d);
}

value lowering::complement(value v) {
  if (v.is_immediate())
    v = imm(~v.immediate());
  else
    v.code.invert = !v.code.invert;
  const word_ref d = out_.word();
  out_.emit(opcode::lop, d, {zero(), v}).code.logic = logic_op::second;
  return reg(d);
}

value lowering::difference_sum(value a, value b, value c, bool is_signed) {
  const word_ref d = out_.word();
  out_.emit(opcode::isad, d, {a, b, c}).code.is_signed = is_signed;
  return reg(d);
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
  if (is_float(t) || bytes_of(t) != 4) unsupported("the type must have 32 or 64 bits");
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
    under_own_guard(kept);
  }
  assign(at(0), reg(d));
  return true;
}

}  // namespace gt200::ptx::fermi
