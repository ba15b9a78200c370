// Integers of 64 bits.
#include <utility>

#include "toolchain/ptx/volta/lowering.h"

namespace gt200::ptx::volta {

void lowering::sum_with_carry(word_ref to, value a, value b, const predicate& carry_out) {
  out_.emit(opcode::iadd3, to, {a, b, zero()}).predicate_out[0] = carry_out.condition;
}

lowering::operation& lowering::sum_of_carry(word_ref to, value a, value b, const predicate& carry_in) {
  operation& o = out_.emit(opcode::iadd3, to, {a, b, zero()});
  o.code.extended = true;
  writer::set_source(o, 0, carry_in);
  return o;
}

lowering::wide lowering::add_wide(wide a, wide b) {
  if (a.low.is_immediate()) std::swap(a, b);
  if (a.low.is_immediate() && a.high.is_immediate() && b.high.is_immediate()) {
    const std::uint64_t sum = (std::uint64_t{a.high.immediate()} << 32 | a.low.immediate()) +
                              (std::uint64_t{b.high.immediate()} << 32 | b.low.immediate());
    return {imm(static_cast<std::uint32_t>(sum)), imm(static_cast<std::uint32_t>(sum >> 32))};
  }
  const word_ref d = out_.tuple(2);
  const predicate carry = out_.new_predicate();
  sum_with_carry(d, a.low, b.low, carry);
  sum_of_carry({d.reg, 1}, a.high.is_immediate() ? term(a.high) : a.high, b.high, carry);
  return {reg(d), reg({d.reg, 1})};
}

lowering::wide lowering::subtract_wide(wide a, wide b) {
  const word_ref d = out_.tuple(2);
  const predicate carry = out_.new_predicate();
  value low = term(b.low);
  value high = term(b.high);
  low.code.negate = true;
  high.code.invert = true;
  sum_with_carry(d, term(a.low), low, carry);
  sum_of_carry({d.reg, 1}, term(a.high), high, carry);
  return {reg(d), reg({d.reg, 1})};
}

lowering::wide lowering::multiply_add_wide(value a, value b, bool is_signed, std::optional<wide> addend) {
  if (a.is_immediate()) std::swap(a, b);
  a = out_.in_register(a);
  const value sum = addend ? in_pair(out_.pair(addend->low, addend->high)) : zero(2);
  const word_ref d = out_.tuple(2);
  out_.emit(opcode::imad_wide, d, {a, b, sum}, 2).code.is_signed = is_signed;
  return {reg(d), reg({d.reg, 1})};
}

lowering::wide lowering::shift_wide(const std::string& name, wide a, value count, bool arithmetic) {
  if (count.is_immediate()) {
    const std::uint32_t n = count.immediate();
    if (n == 0) return a;
    if (n >= 32) {
      if (name == "shl") return {imm(0), out_.shift_left(a.low, imm(n - 32))};
      const value high = arithmetic ? out_.shift_right(a.high, imm(31), true) : imm(0);
      return {out_.shift_right(a.high, imm(n - 32), arithmetic), high};
    }
  }
  a = {out_.in_register(a.low), out_.in_register(a.high)};
  if (!count.is_immediate()) count = out_.in_register(count);
  if (name == "shl") return {out_.shift_left(a.low, count), out_.funnel_left(a.low, a.high, count, true)};
  return {out_.funnel_right(a.low, a.high, count, false, arithmetic), out_.shift_right(a.high, count, arithmetic)};
}

// The comparison of the lower words counts where the upper ones are equal.
lowering::operation& lowering::compare_wide(unsigned condition, wide a, wide b, bool is_signed, const predicate& to,
                                            const predicate& second) {
  a = {term(a.low), term(a.high)};
  const predicate low = out_.new_predicate();
  out_.emit_test(opcode::isetp, low, {a.low, b.low}).code.compare = static_cast<std::uint8_t>(condition);
  operation& o = out_.emit_test(opcode::isetp, to, {a.high, b.high}, second);
  o.code.compare = static_cast<std::uint8_t>(condition);
  o.code.is_signed = is_signed;
  o.code.extended = true;
  writer::set_source(o, 1, low);
  return o;
}

}  // namespace gt200::ptx::volta
