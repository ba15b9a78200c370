// Integer arithmetic of up to 32 bits.
#include "toolchain/ptx/volta/lowering.h"

namespace gt200::ptx::volta {

// A sum overflows where both terms have one sign and the sum has another.
value lowering::add_saturated(value a, value b, bool subtracts) {
  a = out_.in_register(a);
  b = out_.in_register(b);
  const value sum = subtracts ? out_.subtract(a, b) : out_.add(a, b);
  const auto table_of_overflow =
      static_cast<std::uint8_t>(subtracts ? (table_of_a ^ table_of_b) & (table_of_a ^ table_of_c)
                                          : ~(table_of_a ^ table_of_b) & (table_of_a ^ table_of_c));
  const predicate over = out_.compare(less, out_.logic3(table_of_overflow, a, b, sum), imm(0), true);
  const value limit = out_.logic_of(logic_op::xor_, out_.shift_right(a, imm(31), true), imm(0x7fffffff));
  return out_.choose(over, limit, sum);
}

value lowering::multiply_high(value a, value b, bool is_signed) {
  return multiply_add_wide(a, b, is_signed, std::nullopt).high;
}

value lowering::complement(value v) {
  if (v.is_immediate()) return imm(~v.immediate());
  return out_.logic3(static_cast<std::uint8_t>(~table_of_a), v, zero(), zero());
}

value lowering::difference_sum(value a, value b, value c, bool is_signed) {
  a = out_.in_register(a);
  b = out_.in_register(b);
  const predicate p = out_.compare(less, a, b, is_signed);
  const value larger = out_.choose(p, b, a);
  return out_.add(out_.subtract(larger, out_.choose(p, a, b)), c);
}

// CC.CF is a predicate. The hardware subtracts by adding the complement, so its carry is the inverse of a borrow.
bool lowering::lower_carry(const statement& s) {
  const std::string& n = s.name;
  const bool multiplies = n == "madc" || (n == "mad" && has("cc"));
  const bool takes = n == "addc" || n == "subc" || n == "madc";
  if (!multiplies && !takes && (!has("cc") || (n != "add" && n != "sub"))) return false;
  operand_count(multiplies ? 4 : 3, multiplies ? 4 : 3);
  const scalar t = type();
  if (is_float(t) || bytes_of(t) != 4) unsupported("the type must have 32 or 64 bits");
  if (takes && carry_ < 0) unsupported("expected an instruction with .cc before it");
  value a = out_.in_register(source(at(1), t));
  value b = out_.in_register(source(at(2), t));
  if (multiplies) {
    a = has("hi") ? multiply_high(a, b, is_signed(t)) : out_.multiply(a, b);
    b = out_.in_register(source(at(3), t));
  }
  const bool subtracts = n == "sub" || n == "subc";
  const predicate made = has("cc") ? out_.new_predicate() : predicate{};
  const word_ref d = out_.word();
  if (takes) {
    if (subtracts) b.code.invert = true;
    sum_of_carry(d, a, b, {carry_, false}).predicate_out[0] = made.condition;
  } else {
    if (subtracts) b.code.negate = true;
    sum_with_carry(d, a, b, made);
  }
  if (made.condition >= 0) {
    // One predicate holds the carry at all times: what takes it may be behind a label.
    if (carry_ < 0) carry_ = out_.new_predicate().condition;
    under_own_guard(combine_predicates({carry_, false}, made, {}, logic_op::and_));
  }
  assign(at(0), reg(d));
  return true;
}

}  // namespace gt200::ptx::volta
