#include "toolchain/ptx/volta/writer.h"

namespace gt200::ptx::volta {

using isa::volta::number_type;

void writer::make_subtract(word_ref d, value a, value b) {
  if (!b.is_plain()) b = copy(b);
  b.code.negate = true;
  emit(opcode::iadd3, d, {a, b, zero()});
}

void writer::make_logic(word_ref d, logic_op op, value a, value b) {
  const std::uint8_t table = op == logic_op::and_  ? table_of_a & table_of_b
                             : op == logic_op::or_ ? table_of_a | table_of_b
                                                   : table_of_a ^ table_of_b;
  emit(opcode::lop3, d, {a, b, zero()}).code.lut[0] = table;
}

// The word moves within a pair: below zeros to the left, above zeros to the right.
void writer::make_shift_left(word_ref d, value a, value count) {
  emit(opcode::shf, d, {a, count, zero()}).code.source_type = number_type::u32;
}

void writer::make_shift_right(word_ref d, value a, value count, bool arithmetic) {
  operation& o = emit(opcode::shf, d, {zero(), count, a});
  o.code.right = true;
  o.code.high = true;
  o.code.source_type = arithmetic ? number_type::s32 : number_type::u32;
}

void writer::make_extreme(word_ref d, bool maximum, value a, value b, bool is_signed) {
  const predicate_ref p = new_predicate();
  operation& o = emit_test(opcode::isetp, p, {a, b});
  o.code.compare = maximum ? greater : less;
  o.code.is_signed = is_signed;
  set_source(emit(opcode::sel, d, {a, b}), predicate_slot, p);
}

void writer::make_field(word_ref d, value v, unsigned first, unsigned length, bool is_signed) {
  if (first + length == 32) return make_shift_right(d, v, value::number(first), is_signed);
  const value moved = shift_right(v, value::number(first), is_signed);
  emit(opcode::sgxt, d, {moved, value::number(length)}).code.is_signed = is_signed;
}

value writer::logic3(std::uint8_t table, value a, value b, value c) {
  const word_ref d = word();
  emit(opcode::lop3, d, {a, b, c}).code.lut[0] = table;
  return value::of(d);
}

value writer::funnel_left(value low, value high, value count, bool upper) {
  const word_ref d = word();
  operation& o = emit(opcode::shf, d, {low, count, high});
  o.code.high = upper;
  o.code.source_type = number_type::u64;
  return value::of(d);
}

value writer::funnel_right(value low, value high, value count, bool upper, bool arithmetic) {
  const word_ref d = word();
  operation& o = emit(opcode::shf, d, {low, count, high});
  o.code.right = true;
  o.code.high = upper;
  o.code.source_type = arithmetic ? number_type::s64 : number_type::u64;
  return value::of(d);
}

}  // namespace gt200::ptx::volta
