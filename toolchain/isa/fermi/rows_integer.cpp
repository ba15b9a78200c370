// Integer arithmetic, comparison, shift and logic.
#include "toolchain/isa/fermi/opcode_table.h"

namespace gt200::isa::fermi {
namespace {

constexpr auto sp = unit_class::sp;

element high_part() { return flag<&instruction::high>(6, "high"); }
element wrap() { return flag<&instruction::wrap>(9, "wrap", "clamp"); }
element reverse() { return flag<&instruction::reverse>(8, "rev"); }
element shift_count() {
  return number(
      {5, 5}, [](const instruction& i) -> std::uint32_t { return i.shift; },
      [](instruction& i, std::uint32_t v) { i.shift = static_cast<std::uint8_t>(v); });
}

void append_compare_rows(std::vector<row>& rows) {
  // The bits 6 and 7 of min and max select parts of a 64-bit comparison; what they do is unknown.
  rows.push_back(unnamed("min", opcode::imnmx, operation_bits(0x08, 3), mask_5 | 0xc0, sp,
                         {min_or_max(), sign(5), to(), carry_to(48), first(), second()}));
  rows.push_back(ordinary("set", opcode::iset, operation_bits(0x10, 3), mask_5, sp,
                          {flag<&instruction::float_result>(7, "f32", "b32"), to(), carry_to(48),
                           comparison({55, 4}, false), sign(5), first(), second(), carry_from(6), combined()}));
  rows.push_back(ordinary("set", opcode::isetp, operation_bits(0x18, 3), mask_5, sp,
                          {predicate_to(0, {17, 3}), predicate_to(1, {14, 3}), comparison({55, 4}, false), sign(5),
                           first(), second(), carry_from(6), combined()}));
  rows.push_back(
      ordinary("slct", opcode::icmp, operation_bits(0x30, 3), mask_5, sp,
               {word("b32"), to(), first(), second_of_three(), comparison({55, 4}, false), sign(5), third()}));
}

void append_sum_rows(std::vector<row>& rows) {
  rows.push_back(unnamed("add", opcode::iadd, operation_bits(0x48, 3), mask_5, sp,
                         {addend({8, 2}), flag<&instruction::saturate>(5, "sat"), word("b32"), to(), carry_to(48),
                          first(), second(), carry_from(6)}));
  rows.push_back(unnamed("add", opcode::iscadd, operation_bits(0x40, 3), mask_5, sp,
                         {addend({55, 2}), word("b32"), to(), carry_to(48), word("("), word("shl"), first(),
                          shift_count(), word(")"), second()}));
  rows.push_back(ordinary("sad", opcode::isad, operation_bits(0x38, 3), mask_5, sp,
                          {sign(5), to(), carry_to(48), first(), second_of_three(), third()}));
  rows.push_back(unnamed("add", opcode::imad, operation_bits(0x20, 3), mask_5, sp,
                         {addend({8, 2}), flag<&instruction::saturate>(56, "sat"), to(), carry_to(48), word("("),
                          word("mul"), high_part(), source_sign<0>(7), first(), source_sign<1>(5),
                          second_of_three(), word(")"), third(), carry_from(55)}));
  rows.push_back(
      ordinary("mul", opcode::imul, operation_bits(0x50, 3), mask_5, sp,
               {high_part(), to(), carry_to(48), source_sign<0>(7), first(), source_sign<1>(5), second()}));
}

void append_bit_rows(std::vector<row>& rows) {
  rows.push_back(ordinary("ins", opcode::bfi, operation_bits(0x28, 3), mask_5, sp,
                          {word("b32"), to(), carry_to(48), first(), second_of_three(), third()}));
  rows.push_back(ordinary("shr", opcode::shr, operation_bits(0x58, 3), mask_5, sp,
                          {reverse(), sign(5), to(), carry_to(48), first(), wrap(), second(), carry_from(7)}));
  rows.push_back(ordinary("shl", opcode::shl, operation_bits(0x60, 3), mask_5, sp,
                          {word("b32"), to(), carry_to(48), first(), wrap(), second(), carry_from(6)}));
  rows.push_back(unnamed("and", opcode::lop, operation_bits(0x68, 3), mask_5, sp,
                         {logic({6, 2}), word("b32"), to(), carry_to(48), inverted<0>(9), first(), inverted<1>(8),
                          second(), carry_from(5)}));
  rows.push_back(ordinary("ext", opcode::bfe, operation_bits(0x70, 3), mask_5, sp,
                          {reverse(), sign(5), to(), carry_to(48), first(), second()}));
  rows.push_back(ordinary(
      "bfind", opcode::flo, operation_bits(0x78, 3), mask_5, sp,
      {flag<&instruction::shift_amount>(6, "shiftamt"), sign(5), to(), carry_to(48), inverted<1>(8), second()}));
  rows.push_back(ordinary("popc", opcode::popc, operation_bits(0x54, 4), mask_6, sp,
                          {to(), inverted<0>(9), first(), inverted<1>(8), second()}));
}

}  // namespace

void append_integer_rows(std::vector<row>& rows) {
  append_compare_rows(rows);
  append_sum_rows(rows);
  append_bit_rows(rows);
}

void append_long_rows(std::vector<row>& rows) {
  const element constant = immediate(1, {26, 32});
  const element ftz_5 = flag<&instruction::ftz>(5, "ftz");
  const element ftz_6 = flag<&instruction::ftz>(6, "ftz");
  const element fmz = flag<&instruction::fmz>(7, "fmz");
  const element sat = flag<&instruction::saturate>(5, "sat");
  const element carry = carry_to(58);
  const auto add = [&rows](const char* name, opcode op, unsigned bits, element_list elements) {
    elements.insert(elements.begin(), long_form());
    rows.push_back(unnamed(name, op, operation_bits(bits, 2), mask_5, sp, std::move(elements)));
  };
  add("add", opcode::imad, 0x00,
      {addend({8, 2}), to(), carry, word("("), word("mul"), high_part(), source_sign<0>(7), first(),
       source_sign<1>(5), constant, word(")"), same_as_destination(2)});
  add("add", opcode::iadd, 0x08, {addend({8, 2}), sat, word("b32"), to(), carry, first(), constant, carry_from(6)});
  add("mul", opcode::imul, 0x10,
      {word("mul"), high_part(), to(), carry, source_sign<0>(7), first(), source_sign<1>(5), constant});
  add("mov", opcode::mov, 0x18, {lanes_of_quad(), word("mov"), word("b32"), to(), constant});
  add("fma", opcode::ffma, 0x20,
      {word("fma"), ftz_6, fmz, sat, word("f32"), to(), carry, flag<&instruction::negate_product>(9, "neg"),
       first(), constant, negated<2>(8), same_as_destination(2)});
  add("add", opcode::fadd, 0x28,
      {word("add"), ftz_5, word("f32"), to(), carry, negated<0>(9), absolute<0>(7), first(), constant});
  add("mul", opcode::fmul, 0x30, {word("mul"), fmz, ftz_6, sat, word("f32"), to(), carry, first(), constant});
  add("and", opcode::lop, 0x38,
      {logic({6, 2}), word("b32"), to(), carry, inverted<0>(9), first(), inverted<1>(8), constant, carry_from(5)});
  add("add", opcode::iscadd, 0x40,
      {word("add"), word("b32"), to(), carry, word("("), word("shl"), first(), shift_count(), word(")"), constant});
}

}  // namespace gt200::isa::fermi
