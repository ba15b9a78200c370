// 64-bit integers as two words.
#include "toolchain/ptx/tesla/lowering.h"

namespace gt200::ptx::tesla {

using isa::tesla::logic_op;
using isa::tesla::opcode;

lowering::wide lowering::add_wide(wide a, wide b) {
  if (a.low.is_immediate()) std::swap(a, b);
  if (a.low.is_immediate() && a.high.is_immediate() && b.high.is_immediate()) {
    const std::uint64_t sum = (std::uint64_t{a.high.immediate()} << 32 | a.low.immediate()) +
                              (std::uint64_t{b.high.immediate()} << 32 | b.low.immediate());
    return {imm(static_cast<std::uint32_t>(sum)), imm(static_cast<std::uint32_t>(sum >> 32))};
  }
  if (a.low.is_immediate()) a.low = out_.copy(a.low);
  const word_ref low = out_.word();
  const word_ref high = out_.word();
  const int carry = out_.condition();
  out_.emit(opcode::add, low, {a.low, b.low}).condition_out = carry;
  operation& o = out_.emit(opcode::addc, high, {a.high, b.high});
  o.code.addend = isa::tesla::addend_mode::addc;
  o.condition_in = carry;
  return {reg(low), reg(high)};
}

lowering::wide lowering::subtract_wide(wide a, wide b) {
  const word_ref low = out_.word();
  const word_ref high = out_.word();
  const int carry = out_.condition();
  const value not_b = out_.logic(logic_op::xor_, b.high, imm(0xffffffff));
  out_.emit(opcode::sub, low, {a.low, b.low}).condition_out = carry;
  operation& o = out_.emit(opcode::addc, high, {a.high, not_b});
  o.code.addend = isa::tesla::addend_mode::addc;
  o.condition_in = carry;
  return {reg(low), reg(high)};
}

// Shifts by 32 and more give 0 (or the sign), and "32 - n" as an unsigned count does too where n > 32.
lowering::wide lowering::shift_wide(const std::string& name, wide a, value count, bool arithmetic) {
  if (count.is_immediate()) {
    const std::uint32_t n = count.immediate();
    const value back = imm(32 - n % 32);
    if (name == "shl") {
      if (n >= 32) return {imm(0), out_.shift_left(a.low, imm(n - 32))};
      if (n == 0) return a;
      return {out_.shift_left(a.low, count),
              out_.logic(logic_op::or_, out_.shift_left(a.high, count), out_.shift_right(a.low, back, false))};
    }
    if (n >= 32) {
      const value high = arithmetic ? out_.shift_right(a.high, imm(31), true) : imm(0);
      return {out_.shift_right(a.high, imm(n - 32), arithmetic), high};
    }
    if (n == 0) return a;
    return {out_.logic(logic_op::or_, out_.shift_right(a.low, count, false), out_.shift_left(a.high, back)),
            out_.shift_right(a.high, count, arithmetic)};
  }
  const value back = out_.subtract(out_.copy(imm(32)), count);
  const value beyond = out_.subtract(count, imm(32));
  if (name == "shl") {
    const value within =
        out_.logic(logic_op::or_, out_.shift_left(a.high, count), out_.shift_right(a.low, back, false));
    return {out_.shift_left(a.low, count), out_.logic(logic_op::or_, within, out_.shift_left(a.low, beyond))};
  }
  const value within =
      out_.logic(logic_op::or_, out_.shift_right(a.low, count, false), out_.shift_left(a.high, back));
  const predicate far = out_.compare(4, count, imm(31), false);
  return {out_.choose(far, out_.shift_right(a.high, beyond, arithmetic), within),
          out_.shift_right(a.high, count, arithmetic)};
}

predicate lowering::compare_wide(unsigned condition, wide a, wide b, bool is_signed) {
  if (condition == 2 || condition == 5) {
    const value different = out_.logic(logic_op::or_, out_.logic(logic_op::xor_, a.low, b.low),
                                       out_.logic(logic_op::xor_, a.high, b.high));
    return out_.compare(condition, different, imm(0), false);
  }
  const predicate high = out_.compare(condition & 5u, a.high, b.high, is_signed);
  const predicate equal = out_.compare(2, a.high, b.high, false);
  const predicate low = out_.compare(condition, a.low, b.low, false);
  return combine(logic_op::or_, high, combine(logic_op::and_, equal, low));
}

void lowering::wide_instruction(const statement& s, scalar t) {
  const std::string& n = s.name;
  const bool sign = is_signed(t);
  const bool one_source = n == "neg" || n == "not" || n == "abs" || n == "cnot";
  const std::size_t count = one_source ? 2 : n == "sad" ? 4 : 3;
  operand_count(count, count);
  if (n == "div" || n == "rem") return call_library(n + (sign ? "_s64" : "_u64"));
  const wide a = source_wide(at(1), t);
  const wide zero = {out_.copy(imm(0)), imm(0)};
  if (n == "neg") return assign_wide(at(0), subtract_wide({zero.low, zero.low}, a));
  if (n == "not")
    return assign_wide(at(0), {out_.logic(logic_op::xor_, a.low, imm(0xffffffff)),
                               out_.logic(logic_op::xor_, a.high, imm(0xffffffff))});
  if (n == "abs") {
    const wide minus = subtract_wide({zero.low, zero.low}, a);
    const predicate p = out_.compare(1, a.high, imm(0), true);
    return assign_wide(at(0), {out_.choose(p, minus.low, a.low), out_.choose(p, minus.high, a.high)});
  }
  if (n == "cnot") {
    const predicate p = compare_wide(2, a, {imm(0), imm(0)}, false);
    return assign_wide(at(0), {out_.logic(logic_op::and_, reg(p.mask), imm(1)), imm(0)});
  }
  if (n == "shl" || n == "shr") return assign_wide(at(0), shift_wide(n, a, source(at(2), scalar::u32), sign));
  const wide b = source_wide(at(2), t);
  if (n == "add") return assign_wide(at(0), add_wide(a, b));
  if (n == "sub") return assign_wide(at(0), subtract_wide(a, b));
  if (n == "and" || n == "or" || n == "xor") {
    const logic_op op = n == "and" ? logic_op::and_ : n == "or" ? logic_op::or_ : logic_op::xor_;
    return assign_wide(at(0), {out_.logic(op, a.low, b.low), out_.logic(op, a.high, b.high)});
  }
  const auto extreme = [&](unsigned condition) {
    const predicate p = compare_wide(condition, a, b, sign);
    return wide{out_.choose(p, a.low, b.low), out_.choose(p, a.high, b.high)};
  };
  if (n == "min" || n == "max") return assign_wide(at(0), extreme(n == "min" ? 1 : 4));
  if (n == "sad") {
    const wide larger = extreme(4);
    return assign_wide(at(0), add_wide(subtract_wide(larger, extreme(1)), source_wide(at(3), t)));
  }
  unsupported("this instruction is not supported for 64 bits");
}

}  // namespace gt200::ptx::tesla
