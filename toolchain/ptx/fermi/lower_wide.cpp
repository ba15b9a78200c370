// Integers of 64 bits.
#include "toolchain/ptx/fermi/lowering.h"

namespace gt200::ptx::fermi {

using isa::fermi::addend_mode;
using isa::fermi::logic_op;
using isa::fermi::opcode;

namespace {

void makes_carry(operation& o, int carry) {
  o.carry_out = carry;
  o.code.writes_condition_code = true;
}
void takes_carry(operation& o, int carry) {
  o.carry_in = carry;
  o.code.carry_in = true;
}

}  // namespace

lowering::wide lowering::add_wide(wide a, wide b) {
  if (a.low.is_immediate()) std::swap(a, b);
  if (a.low.is_immediate() && a.high.is_immediate() && b.high.is_immediate()) {
    const std::uint64_t sum = (std::uint64_t{a.high.immediate()} << 32 | a.low.immediate()) +
                              (std::uint64_t{b.high.immediate()} << 32 | b.low.immediate());
    return {imm(static_cast<std::uint32_t>(sum)), imm(static_cast<std::uint32_t>(sum >> 32))};
  }
  const word_ref d = out_.tuple(2);
  const int carry = out_.carry();
  // What has to be in registers goes there before the carry is made.
  if (a.high.is_immediate() && b.high.is_immediate()) a.high = out_.copy(a.high);
  makes_carry(out_.emit(opcode::iadd, d, {a.low, b.low}), carry);
  takes_carry(out_.emit(opcode::iadd, {d.reg, 1}, {a.high, b.high}), carry);
  return {reg(d), reg({d.reg, 1})};
}

lowering::wide lowering::subtract_wide(wide a, wide b) {
  const word_ref d = out_.tuple(2);
  const int carry = out_.carry();
  const auto term = [&](value v) { return v.is_immediate() && v.immediate() == 0 ? zero() : out_.in_register(v); };
  a = {term(a.low), term(a.high)};
  operation& low = out_.emit(opcode::iadd, d, {a.low, b.low});
  low.code.addend = addend_mode::sub;
  makes_carry(low, carry);
  operation& high = out_.emit(opcode::iadd, {d.reg, 1}, {a.high, b.high});
  high.code.addend = addend_mode::sub;
  takes_carry(high, carry);
  return {reg(d), reg({d.reg, 1})};
}

lowering::wide lowering::multiply_add_wide(value a, value b, bool is_signed, std::optional<wide> addend) {
  if (a.is_immediate()) std::swap(a, b);
  a = out_.in_register(a);
  const word_ref d = out_.tuple(2);
  const word_ref top = {d.reg, 1};
  if (!addend) {
    out_.emit(opcode::imul, d, {a, b}).code.source_signed = {is_signed, is_signed};
    operation& high = out_.emit(opcode::imul, top, {a, b});
    high.code.source_signed = {is_signed, is_signed};
    high.code.high = true;
    return {reg(d), reg(top)};
  }
  const int carry = out_.carry();
  const value low_addend = out_.in_register(addend->low);
  const value high_addend = out_.in_register(addend->high);
  operation& low = out_.emit(opcode::imad, d, {a, b, low_addend});
  low.code.source_signed = {is_signed, is_signed};
  makes_carry(low, carry);
  operation& high = out_.emit(opcode::imad, top, {a, b, high_addend});
  high.code.source_signed = {is_signed, is_signed};
  high.code.high = true;
  takes_carry(high, carry);
  return {reg(d), reg(top)};
}

lowering::wide lowering::choose_wide(const predicate& p, wide a, wide b) {
  return {out_.choose(p, a.low, b.low), out_.choose(p, a.high, b.high)};
}

// Shifts by 32 and more give 0 (or the sign), and "32 - n" as an unsigned count does too where n > 32.
lowering::wide lowering::shift_wide(const std::string& name, wide a, value count, bool arithmetic) {
  const auto either = [&](value x, value y) { return out_.logic(logic_op::or_, x, y); };
  if (count.is_immediate()) {
    const std::uint32_t n = count.immediate();
    const value back = imm(32 - n % 32);
    if (n == 0) return a;
    if (name == "shl") {
      if (n >= 32) return {imm(0), out_.shift_left(a.low, imm(n - 32))};
      return {out_.shift_left(a.low, count),
              either(out_.shift_left(a.high, count), out_.shift_right(a.low, back, false))};
    }
    if (n >= 32) {
      const value high = arithmetic ? out_.shift_right(a.high, imm(31), true) : imm(0);
      return {out_.shift_right(a.high, imm(n - 32), arithmetic), high};
    }
    return {either(out_.shift_right(a.low, count, false), out_.shift_left(a.high, back)),
            out_.shift_right(a.high, count, arithmetic)};
  }
  a = {out_.in_register(a.low), out_.in_register(a.high)};
  count = out_.in_register(count);
  const value back = out_.subtract(imm(32), count);
  const value beyond = out_.subtract(count, imm(32));
  if (name == "shl") {
    const value within = either(out_.shift_left(a.high, count), out_.shift_right(a.low, back, false));
    return {out_.shift_left(a.low, count), either(within, out_.shift_left(a.low, beyond))};
  }
  const value within = either(out_.shift_right(a.low, count, false), out_.shift_left(a.high, back));
  const predicate far = out_.compare(greater, count, imm(31), false);
  return {out_.choose(far, out_.shift_right(a.high, beyond, arithmetic), within),
          out_.shift_right(a.high, count, arithmetic)};
}

// The flags of the lower difference decide where the upper words are equal.
operation& lowering::compare_wide(unsigned condition, wide a, wide b, bool is_signed, const predicate& to,
                                  const predicate& second) {
  const auto term = [&](value v) { return v.is_immediate() && v.immediate() == 0 ? zero() : out_.in_register(v); };
  a = {term(a.low), term(a.high)};
  const int carry = out_.carry();
  operation& low = out_.emit(opcode::iadd, {}, {a.low, b.low});
  low.code.addend = addend_mode::sub;
  makes_carry(low, carry);
  operation& o = out_.emit_test(opcode::isetp, to, {a.high, b.high}, second);
  o.code.compare = static_cast<std::uint8_t>(condition);
  o.code.is_signed = is_signed;
  takes_carry(o, carry);
  return o;
}

bool lowering::lower_wide(const statement& s) {
  const std::string& n = s.name;
  const scalar t = type();
  if (bytes_of(t) != 8) return false;
  const bool sign = is_signed(t);
  const bool unary = n == "neg" || n == "not" || n == "abs" || n == "cnot";
  const std::size_t count = unary ? 2 : n == "sad" || n == "mad" ? 4 : 3;
  operand_count(count, count);
  const auto finish = [&](wide v) {
    assign_wide(at(0), v);
    return true;
  };
  if (n == "div" || n == "rem" || ((n == "mul" || n == "mad") && has("hi"))) {
    call_library(n + (n[0] == 'm' ? "_hi" : "") + (sign ? "_s64" : "_u64"));
    return true;
  }
  const wide a = source_wide(at(1), t);
  const wide none = {imm(0), imm(0)};
  if (n == "neg") return finish(subtract_wide(none, a));
  if (n == "not") {
    const auto flip = [&](value v) { return out_.logic(logic_op::xor_, v, imm(0xffffffff)); };
    return finish({flip(a.low), flip(a.high)});
  }
  if (n == "abs") {
    const wide minus = subtract_wide(none, a);
    return finish(choose_wide(out_.compare(less, out_.in_register(a.high), imm(0), true), minus, a));
  }
  if (n == "cnot") {
    const predicate p = out_.compare(equal, out_.logic(logic_op::or_, a.low, a.high), imm(0), false);
    return finish({out_.choose(p, imm(1), imm(0)), imm(0)});
  }
  if (n == "shl" || n == "shr") return finish(shift_wide(n, a, source(at(2), scalar::u32), sign));
  const wide b = source_wide(at(2), t);
  if (n == "add") return finish(add_wide(a, b));
  if (n == "sub") {
    if (b.low.is_immediate() && b.high.is_immediate()) {
      const std::uint64_t minus = 0 - (std::uint64_t{b.high.immediate()} << 32 | b.low.immediate());
      return finish(
          add_wide(a, {imm(static_cast<std::uint32_t>(minus)), imm(static_cast<std::uint32_t>(minus >> 32))}));
    }
    return finish(subtract_wide(a, b));
  }
  if (n == "and" || n == "or" || n == "xor") {
    const logic_op op = n == "and" ? logic_op::and_ : n == "or" ? logic_op::or_ : logic_op::xor_;
    return finish({out_.logic(op, a.low, b.low), out_.logic(op, a.high, b.high)});
  }
  if (n == "mul" || n == "mad") {
    std::optional<wide> addend;
    if (n == "mad") addend = source_wide(at(3), t);
    wide result = multiply_add_wide(a.low, b.low, false, addend);
    result.high = out_.add(result.high, out_.multiply(a.low, b.high));
    result.high = out_.add(result.high, out_.multiply(a.high, b.low));
    return finish(result);
  }
  const auto extreme = [&](unsigned condition) {
    const predicate p = out_.new_predicate();
    compare_wide(condition, a, b, sign, p);
    return choose_wide(p, a, b);
  };
  if (n == "min" || n == "max") return finish(extreme(n == "min" ? less : greater));
  if (n == "sad") {
    const wide larger = extreme(greater);
    return finish(add_wide(subtract_wide(larger, extreme(less)), source_wide(at(3), t)));
  }
  unsupported("this instruction is not supported for 64 bits");
}

}  // namespace gt200::ptx::fermi
