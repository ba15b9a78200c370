// Conversions between number formats. Those with 64 bits on either side have opcodes of their own.
#include "toolchain/isa/volta/opcode_table.h"

namespace gt200::isa::volta {
namespace {

constexpr std::uint8_t code(number_type t) { return static_cast<std::uint8_t>(t); }

// The rows of one conversion: narrow (up to 32 bits) and wide.
struct conversion {
  const char* name;
  opcode op;
  std::uint32_t narrow_code;
  std::uint32_t wide_code;
};

struct type_field {
  std::uint8_t size_low;  // of two bits
  std::uint8_t sign_bit;  // 0: a float
};
constexpr type_field float_source = {84, 0};
constexpr type_field float_result = {75, 0};
constexpr type_field integer_source = {84, 74};
constexpr type_field integer_result = {75, 72};

// One type: modifier text and fields. Integers: size and sign are two fields of one element.
template <auto Member>
element type_element(type_field at, bool is_integer, const char* silent) {
  element e =
      choice<Member>(at.sign_bit == 0 ? bit_field{at.size_low, 2} : bit_field{at.size_low, 2, at.sign_bit, 1}, {});
  const auto add = [&](std::uint8_t field, number_type t, const char* name) {
    e.choices.push_back({field, code(t), std::string_view(name) == silent ? "" : name});
  };
  if (is_integer) {
    add(0, number_type::u8, "U8");
    add(4, number_type::s8, "S8");
    add(1, number_type::u16, "U16");
    add(5, number_type::s16, "S16");
    add(2, number_type::u32, "U32");
    add(6, number_type::s32, "S32");
    add(3, number_type::u64, "U64");
    add(7, number_type::s64, "S64");
  } else {
    add(1, number_type::f16, "F16");
    add(2, number_type::f32, "F32");
    add(3, number_type::f64, "F64");
  }
  return e;
}

constexpr bool is_wide(number_type t) {
  return t == number_type::u64 || t == number_type::s64 || t == number_type::f64;
}

// Narrow rows refuse types of 64 bits, and wide ones need one. It also sets how many registers the operands take.
element width_check(bool wide) {
  element e;
  e.slot = wide ? 1 : 0;
  e.bits = [](const element& self, instruction& i, wide_bit_stream& s) {
    const bool source_is_wide = is_wide(i.source_type);
    const bool result_is_wide = is_wide(i.destination_type);
    if ((source_is_wide || result_is_wide) != (self.slot != 0))
      s.fail("the types do not fit the width of the operation");
    i.source[1].words = source_is_wide ? 2 : 1;
    i.destination.words = result_is_wide ? 2 : 1;
  };
  return e;
}

// A number of 64 bits is given by its upper word, as for sums (assumption).
element own_form(const element& e, const instruction& i) {
  const bool is_double = i.source_type == number_type::f64;
  return source(e.place, e.signs, is_double && e.form == immediate_form::float32 ? immediate_form::high : e.form);
}
element converted(signs allowed, immediate_form form) {
  element e = source(place::b, allowed, form);
  e.bits = [](const element& self, instruction& i, wide_bit_stream& s) {
    const element own = own_form(self, i);
    own.bits(own, i, s);
  };
  e.text = [](const element& self, instruction& i, line_text& s, std::string& label) {
    const element own = own_form(self, i);
    own.text(own, i, s, label);
  };
  return e;
}

void append(std::vector<row>& rows, const conversion& c, const element_list& modifiers, immediate_form form,
            bool has_parts, signs allowed) {
  for (const bool wide : {false, true}) {
    element_list elements = modifiers;
    elements.push_back(to());
    elements.push_back(converted(allowed, form));
    elements.push_back(width_check(wide));
    if (has_parts) elements.push_back(part_of_source(1));
    rows.push_back(
        arithmetic(c.name, c.op, wide ? c.wide_code : c.narrow_code, unit_class::sfu, std::move(elements)));
  }
}

}  // namespace

void append_convert_rows(std::vector<row>& rows) {
  const element rounding_of_result = float_rounding();
  append(rows, {"F2F", opcode::f2f, 0x104, 0x110},
         {ftz(), type_element<&instruction::destination_type>(float_result, false, ""),
          type_element<&instruction::source_type>(float_source, false, ""), rounding_of_result},
         immediate_form::float32, true, signs::negate_absolute);
  append(rows, {"F2I", opcode::f2i, 0x105, 0x111},
         {ftz(), type_element<&instruction::destination_type>(integer_result, true, "S32"),
          type_element<&instruction::source_type>(float_source, false, "F32"), integral_rounding(),
          flag<&instruction::ntz>(77, "NTZ")},
         immediate_form::float32, true, signs::negate_absolute);
  append(rows, {"I2F", opcode::i2f, 0x106, 0x112},
         {type_element<&instruction::destination_type>(float_result, false, "F32"),
          type_element<&instruction::source_type>(integer_source, true, "S32"), rounding_of_result},
         immediate_form::signed_integer, true, signs::none);
  // The type of the result is that of the source.
  const element type = type_element<&instruction::source_type>(float_source, false, "F32");
  element same_type = type_element<&instruction::destination_type>(float_result, false, "");
  same_type.text = [](const element&, instruction& i, line_text& s, std::string&) {
    if (!s.printing()) i.destination_type = i.source_type;
  };
  same_type.bits = [](const element&, instruction& i, wide_bit_stream& s) {
    const element e = type_element<&instruction::destination_type>(float_result, false, "");
    e.bits(e, i, s);
    if (i.destination_type != i.source_type) s.fail("the result has the type of the source");
  };
  append(rows, {"FRND", opcode::frnd, 0x107, 0x113}, {ftz(), type, same_type, integral_rounding()},
         immediate_form::float32, false, signs::negate_absolute);
}

}  // namespace gt200::isa::volta
