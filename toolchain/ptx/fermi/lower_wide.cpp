// Integers of 64 bits.
#include "toolchain/ptx/fermi/lowering.h"

namespace gt200::ptx::fermi {

using isa::fermi::addend_mode;

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
  // Operands that have to be in registers go there before the carry is made.
  if (a.high.is_immediate() && b.high.is_immediate()) a.high = out_.copy(a.high);
  makes_carry(out_.emit(opcode::iadd, d, {a.low, b.low}), carry);
  takes_carry(out_.emit(opcode::iadd, {d.reg, 1}, {a.high, b.high}), carry);
  return {reg(d), reg({d.reg, 1})};
}

lowering::wide lowering::subtract_wide(wide a, wide b) {
  const word_ref d = out_.tuple(2);
  const int carry = out_.carry();
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

// Shifts by 32 and more give 0 (or the sign), and "32 - n" as an unsigned count does too where n > 32.
lowering::wide lowering::shift_wide(const std::string& name, wide a, value count, bool arithmetic) {
  const auto either = [&](value x, value y) { return out_.logic_of(logic_op::or_, x, y); };
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
lowering::operation& lowering::compare_wide(unsigned condition, wide a, wide b, bool is_signed, const predicate& to,
                                            const predicate& second) {
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

}  // namespace gt200::ptx::fermi
