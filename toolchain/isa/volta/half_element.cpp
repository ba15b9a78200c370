// A source of half pairs: signs, and which half each result takes. Their places differ from those of other sources.
#include <iterator>

#include "toolchain/isa/common/text_stream.h"
#include "toolchain/isa/volta/element.h"
#include "toolchain/isa/volta/operand_text.h"

namespace gt200::isa::volta {
namespace {

constexpr bit_field form_field = {9, 3};
constexpr std::uint32_t first_form_with_b_in_y = 2;
constexpr std::uint32_t last_form_with_b_in_y = 3;

struct half_bits {
  std::uint8_t negate;
  std::uint8_t absolute;
  bit_field part;
};
constexpr half_bits of_a = {72, 73, {74, 2}};
constexpr half_bits of_x = {63, 62, {60, 2}};
constexpr half_bits of_y = {84, 83, {81, 2}};

constexpr operand_part parts[] = {operand_part::whole, operand_part::f32, operand_part::h0_h0, operand_part::h1_h1};

bool is_number_or_constant(const operand& o) {
  return o.kind == operand_kind::immediate || o.kind == operand_kind::constant;
}

const half_bits& bits_of(const element& e, const instruction& i, wide_bit_stream& s) {
  if (e.place == place::a) return of_a;
  if (e.place == place::c_of_3) return is_number_or_constant(i.source[2]) ? of_x : of_y;
  if (e.place != place::b_of_3) return of_x;
  if (!s.reading()) return is_number_or_constant(i.source[2]) ? of_y : of_x;
  std::uint32_t form = 0;
  s.transfer(form, form_field, "form of the sources");
  return form >= first_form_with_b_in_y && form <= last_form_with_b_in_y ? of_y : of_x;
}

void transfer_half(const element& e, instruction& i, wide_bit_stream& s) {
  operand& o = e.of(i);
  const operand signs_of = o;
  if (o.invert) return s.fail("~ is not possible here");
  o.negate = false;
  o.absolute = false;
  const element plain = source(e.place, signs::none, immediate_form::half_pair);
  plain.bits(plain, i, s);
  o.negate = signs_of.negate;
  o.absolute = signs_of.absolute;
  if (!s.ok()) return;
  if (o.kind == operand_kind::immediate) {
    if (!s.reading() && (o.negate || o.absolute || o.part != operand_part::whole))
      s.fail("a number has no sign of its own and no halves");
    return;
  }
  const half_bits& at = bits_of(e, i, s);
  s.transfer(o.negate, at.negate, "sign");
  s.transfer(o.absolute, at.absolute, "absolute value");
  std::uint32_t code = 0;
  while (!s.reading() && code < std::size(parts) && parts[code] != o.part) ++code;
  if (code == std::size(parts)) return s.fail("a part .H0_H0, .H1_H1 or .F32 is expected");
  s.transfer(code, at.part, "part of a register");
  o.part = parts[code];
}

// A pair of numbers takes two operands of the text, the upper half first.
void transfer_half_text(const element& e, instruction& i, line_text& s, std::string& label) {
  const element plain = source(e.place, signs::none, immediate_form::half_pair);
  if (s.printing()) return plain.text(plain, i, s, label);
  const std::string_view first = s.peek_operand();
  if (!parse_half(first) && !parse_number(first)) return plain.text(plain, i, s, label);
  const auto upper = parse_half(s.peek_operand());
  const auto lower = parse_half(s.peek_operand(1));
  if (!upper || !lower) return s.fail("two numbers of 16 bits are expected, at most 65504");
  operand& o = e.of(i);
  o.kind = operand_kind::immediate;
  o.form = immediate_form::half_pair;
  o.value = static_cast<std::int32_t>(*upper << 16 | *lower);
  s.next_operand();
  s.next_operand();
}

}  // namespace

element half_source(volta::place where) {
  element e = source(where, signs::none, immediate_form::half_pair);
  e.bits = transfer_half;
  e.text = transfer_half_text;
  return e;
}

}  // namespace gt200::isa::volta
