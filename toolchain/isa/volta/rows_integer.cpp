// Integer arithmetic, logic, shifts.
#include "toolchain/isa/volta/opcode_table.h"

namespace gt200::isa::volta {
namespace {

constexpr auto alu = unit_class::sp;
constexpr auto fma = unit_class::sp_mul;  // the lanes of single precision multiply integers too
constexpr auto decimal = immediate_form::signed_integer;
constexpr auto own_sign = signs::negate_or_invert;

element extended(std::uint8_t bit) { return flag<&instruction::extended>(bit, "X"); }
element unsigned_word(std::uint8_t bit) { return flag<&instruction::is_signed>(bit, "", "U32"); }

void append_sum_rows(std::vector<row>& rows) {
  // The second predicate is written only if it is not PT, and then the first one is, too.
  element carry_to = predicate_to(0, 81, code_true);
  carry_to.optional = true;
  const element sum_a = source(place::a, own_sign, decimal);
  const element sum_b = source(place::b_of_3, own_sign, decimal);
  const element sum_c = source(place::c_of_3, own_sign, decimal);
  rows.push_back(with_bits(arithmetic("IADD3", opcode::iadd3, 0x010, alu,
                                      {carry_to, predicate_to(1, 84, code_true), sum_a, sum_b, sum_c}),
                           {{74, 1, 0}}));
  rows.back().elements.insert(rows.back().elements.begin(), to());
  rows.back().elements.push_back(ignored({77, 4}, code_false));
  rows.back().elements.push_back(ignored({87, 4}, code_false));
  rows.push_back(
      with_bits(arithmetic("IADD3", opcode::iadd3, 0x010, alu,
                           {fixed<&instruction::extended>(1, "X"), to(), carry_to, predicate_to(1, 84, code_true),
                            sum_a, sum_b, sum_c, predicate_from(0, 87), predicate_from(1, 77)}),
                {{74, 1, 1}}));
  const auto multiply = [&rows](const char* name, opcode op, std::uint32_t code, element_list first,
                                std::uint8_t words, element_list last) {
    element_list elements = std::move(first);
    elements.push_back(unsigned_word(73));
    elements.push_back(extended(74));
    elements.push_back(to(words));
    elements.push_back(predicate_to(0, 81, code_true));
    elements.push_back(source(place::a, signs::none, decimal));
    elements.push_back(source(place::b_of_3, signs::none, decimal));
    elements.push_back(source(place::c_of_3, own_sign, decimal, words));
    elements.insert(elements.end(), last.begin(), last.end());
    rows.push_back(arithmetic(name, op, code, fma, std::move(elements)));
  };
  multiply("IMAD", opcode::imad, 0x024, {alias("MOV"), alias("IADD"), alias("SHL")}, 1,
           {predicate_from(0, 87, code_false)});
  multiply("IMAD", opcode::imad_wide, 0x025, {word("WIDE")}, 2, {predicate_from(0, 87, code_false)});
  rows.push_back(arithmetic("IDP", opcode::idp, 0x026, fma,
                            {flag<&instruction::pair>(76, "2A.LO", "4A"),
                             choice<&instruction::is_signed>({73, 1}, {{1, 1, "S16"}, {0, 0, "U16"}}),
                             choice<&instruction::second_signed>({74, 1}, {{1, 1, "S8"}, {0, 0, "U8"}}), to(),
                             source(place::a), source(place::b_of_3), source(place::c_of_3)}));
  element& first_type = rows.back().elements[1];
  first_type.text = [](const element&, instruction& i, line_text& s, std::string&) {
    const char* yes = i.pair ? "S16" : "S8";
    const char* no = i.pair ? "U16" : "U8";
    if (s.printing()) return s.add_modifier(i.is_signed ? yes : no);
    i.is_signed = s.take_modifier(yes);
    if (!i.is_signed && !s.take_modifier(no)) s.fail("the type of the first source is missing");
  };
}

void append_compare_rows(std::vector<row>& rows) {
  const element_list head = {integer_comparison(), unsigned_word(73), combination()};
  const element_list operands = {predicate_to(0, 81), predicate_to(1, 84), source(place::a, signs::none, decimal),
                                 source(place::b, signs::none, decimal), predicate_from(0, 87)};
  element_list plain = head;
  plain.insert(plain.end(), operands.begin(), operands.end());
  plain.push_back(ignored({68, 4}, code_true));
  rows.push_back(with_bits(arithmetic("ISETP", opcode::isetp, 0x00c, alu, std::move(plain)), {{72, 1, 0}}));
  element_list with_lower = head;
  with_lower.push_back(fixed<&instruction::extended>(1, "EX"));
  with_lower.insert(with_lower.end(), operands.begin(), operands.end());
  with_lower.push_back(predicate_from(1, 68));
  rows.push_back(with_bits(arithmetic("ISETP", opcode::isetp, 0x00c, alu, std::move(with_lower)), {{72, 1, 1}}));
}

void append_logic_rows(std::vector<row>& rows) {
  rows.push_back(
      arithmetic("LOP3", opcode::lop3, 0x012, alu,
                 {word("LUT"), flag<&instruction::predicate_and>(80, "PAND"), predicate_to(0, 81, code_true), to(),
                  source(place::a), source(place::b_of_3), source(place::c_of_3),
                  number(
                      {72, 8}, [](const instruction& i) -> std::uint32_t { return i.lut[0]; },
                      [](instruction& i, std::uint32_t v) { i.lut[0] = static_cast<std::uint8_t>(v); }),
                  predicate_from(0, 87)}));
  const element type =
      choice<&instruction::source_type>({73, 2}, {{0, static_cast<std::uint8_t>(number_type::s64), "S64"},
                                                  {1, static_cast<std::uint8_t>(number_type::u64), "U64"},
                                                  {2, static_cast<std::uint8_t>(number_type::s32), "S32"},
                                                  {3, static_cast<std::uint8_t>(number_type::u32), "U32"}});
  rows.push_back(arithmetic(
      "SHF", opcode::shf, 0x019, alu,
      {flag<&instruction::right>(76, "R", "L"), flag<&instruction::wrap>(75, "W"), type,
       flag<&instruction::high>(80, "HI"), to(), source(place::a), source(place::b_of_3), source(place::c_of_3)}));
  const element carry_to = predicate_to(0, 81, code_true);
  const element shift = number<&instruction::shift>({75, 5});
  const element a = source(place::a, own_sign);
  const element b = source(place::b_of_3, signs::negate_or_invert_in_x);
  rows.push_back(
      with_bits(arithmetic("LEA", opcode::lea, 0x011, alu,
                           {to(), carry_to, a, source(place::b, own_sign), shift, ignored({87, 4}, code_false)}),
                {{80, 1, 0}, {73, 1, 0}, {74, 1, 0}, {64, 8, zero_register}}));
  rows.push_back(with_bits(arithmetic("LEA", opcode::lea, 0x011, alu,
                                      {fixed<&instruction::high>(1, "HI"), extended(74), to(), carry_to, a, b,
                                       source(place::c_of_3), shift, predicate_from(0, 87, code_false)}),
                           {{80, 1, 1}, {73, 1, 0}}));
  rows.push_back(with_bits(
      arithmetic("LEA", opcode::lea, 0x011, alu,
                 {fixed<&instruction::high>(1, "HI"), extended(74), fixed<&instruction::sx32>(1, "SX32"), to(),
                  carry_to, a, source(place::b, own_sign), shift, predicate_from(0, 87, code_false)}),
      {{80, 1, 1}, {73, 1, 1}, {64, 8, zero_register}}));
}

void append_bit_rows(std::vector<row>& rows) {
  constexpr auto slow = unit_class::sfu;
  rows.push_back(arithmetic("IABS", opcode::iabs, 0x013, alu, {to(), source(place::b)}));
  rows.push_back(with_bits(
      arithmetic("FLO", opcode::flo, 0x100, slow,
                 {flag<&instruction::is_signed>(73, "", "U32"), flag<&instruction::shift_amount>(74, "SH"),
                  predicate_to(0, 81, code_true), to(), source(place::b, signs::invert)}),
      {}));
  rows.push_back(arithmetic("POPC", opcode::popc, 0x109, slow, {to(), source(place::b, signs::invert)}));
  rows.push_back(arithmetic("BREV", opcode::brev, 0x101, slow, {to(), source(place::b)}));
  rows.push_back(arithmetic("BMSK", opcode::bmsk, 0x01b, alu,
                            {flag<&instruction::wrap>(75, "W"), to(), source(place::a), source(place::b)}));
  rows.push_back(
      arithmetic("SGXT", opcode::sgxt, 0x01a, alu,
                 {flag<&instruction::wrap>(75, "W"), unsigned_word(73), to(), source(place::a), source(place::b)}));
  rows.push_back(with_bits(
      whole("VABSDIFF4", opcode::vabsdiff4, 0x215, alu,
            {word("U8"), flag<&instruction::accumulate>(75, "ACC"), to(), gpr(0, 24), gpr(1, 32), gpr(2, 64)}),
      {{81, 3, 7}}));
}

}  // namespace

void append_integer_rows(std::vector<row>& rows) {
  append_sum_rows(rows);
  append_compare_rows(rows);
  append_logic_rows(rows);
  append_bit_rows(rows);
}

}  // namespace gt200::isa::volta
