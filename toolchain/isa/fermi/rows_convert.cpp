// Conversions between the formats of numbers.
#include <array>

#include "toolchain/isa/fermi/opcode_table.h"

namespace gt200::isa::fermi {
namespace {

constexpr auto sp = unit_class::sp;

struct type_name {
  number_type type;
  const char* text;
  unsigned size;  // in the encoding: 8, 16, 32, 64 bits
  bool is_signed;
};
constexpr std::array<type_name, 8> integers = {{{number_type::u8, "u8", 0, false},
                                                {number_type::s8, "s8", 0, true},
                                                {number_type::u16, "u16", 1, false},
                                                {number_type::s16, "s16", 1, true},
                                                {number_type::u32, "u32", 2, false},
                                                {number_type::s32, "s32", 2, true},
                                                {number_type::u64, "u64", 3, false},
                                                {number_type::s64, "s64", 3, true}}};
constexpr std::array<type_name, 3> floats = {{{number_type::f16, "f16", 1, false},
                                              {number_type::f32, "f32", 2, false},
                                              {number_type::f64, "f64", 3, false}}};

constexpr std::uint64_t to_size(const type_name& t) { return std::uint64_t{t.size} << 20; }
constexpr std::uint64_t from_size(const type_name& t) { return std::uint64_t{t.size} << 23; }
constexpr std::uint64_t size_mask = 0x01b00000;
constexpr std::uint64_t to_sign = 0x80;
constexpr std::uint64_t from_sign = 0x200;

element ftz() { return flag<&instruction::ftz>(55, "ftz"); }
element saturate() { return flag<&instruction::saturate>(5, "sat"); }
element part(bit_field bits) {
  return number(
      bits, [](const instruction& i) -> std::uint32_t { return i.part; },
      [](instruction& i, std::uint32_t v) { i.part = static_cast<std::uint8_t>(v); });
}
// Rounding to an integral value, or none.
element optional_rounding() {
  element e =
      choice_element({49, 2, 7, 1}, {{4, 4, "rni"}, {5, 5, "rmi"}, {6, 6, "rpi"}, {7, 7, "rzi"}, {0, 0, ""}});
  e.get = [](const instruction& i) -> std::uint32_t {
    return i.integral_round ? 4 + static_cast<std::uint32_t>(i.round) : 0;
  };
  e.set = [](instruction& i, std::uint32_t v) {
    i.integral_round = v >= 4;
    i.round = static_cast<rounding>(v & 3);
  };
  return e;
}

element_list operator+(element_list left, const element_list& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

element_list result(const type_name& t) {
  return {fixed<&instruction::destination_type>(t.type, t.text), to(static_cast<std::uint8_t>(t.size == 3 ? 2 : 1)),
          carry_to(48)};
}
element_list argument(const type_name& t) {
  return {negated<1>(8), absolute<1>(6), fixed<&instruction::source_type>(t.type, t.text)};
}
element_list integer_argument(const type_name& t) {
  switch (t.size) {
    case 0: return argument(t) + element_list{part({55, 2}), second()};
    case 1: return argument(t) + element_list{part({56, 1}), second()};
    case 2: return argument(t) + element_list{second()};
    default: return argument(t) + element_list{second_without_constant(2)};
  }
}
element float_value(const type_name& t) {
  return second(immediate_form::high, static_cast<std::uint8_t>(t.size == 3 ? 2 : 1));
}

void append_float_to_float(std::vector<row>& rows) {
  for (const type_name& to_type : floats)
    for (const type_name& from_type : floats) {
      const bool same = to_type.type == from_type.type;
      const bool narrower = to_type.size < from_type.size;
      if (to_type.size + 1 < from_type.size || from_type.size + 1 < to_type.size) continue;  // f16 and f64
      element_list elements = {ftz(), saturate()};
      if (same) elements.push_back(optional_rounding());
      if (narrower) elements.push_back(float_rounding(49));
      elements = std::move(elements) + result(to_type) + argument(from_type);
      if (from_type.type == number_type::f16)
        elements = std::move(elements) + element_list{second(), part({56, 1})};
      else
        elements.push_back(float_value(from_type));
      rows.push_back(ordinary("cvt", opcode::f2f, operation_bits(0x10, 4) | to_size(to_type) | from_size(from_type),
                              mask_6 | size_mask, sp, std::move(elements)));
    }
}

void append_float_to_integer(std::vector<row>& rows) {
  for (const type_name& to_type : integers) {
    if (to_type.size == 0) continue;
    for (const type_name& from_type : floats) {
      element_list elements = element_list{ftz(), integral_rounding(49)} + result(to_type) + argument(from_type);
      if (from_type.type == number_type::f16)
        elements = std::move(elements) + element_list{part({56, 1}), second()};
      else
        elements.push_back(float_value(from_type));
      rows.push_back(ordinary(
          "cvt", opcode::f2i,
          operation_bits(0x14, 4) | to_size(to_type) | from_size(from_type) | (to_type.is_signed ? to_sign : 0),
          mask_6 | size_mask | to_sign, sp, std::move(elements)));
    }
  }
}

void append_integer_to_float(std::vector<row>& rows) {
  for (const type_name& to_type : floats)
    for (const type_name& from_type : integers)
      rows.push_back(ordinary(
          "cvt", opcode::i2f,
          operation_bits(0x18, 4) | to_size(to_type) | from_size(from_type) | (from_type.is_signed ? from_sign : 0),
          mask_6 | size_mask | from_sign, sp,
          element_list{float_rounding(49)} + result(to_type) + integer_argument(from_type)));
}

void append_integer_to_integer(std::vector<row>& rows) {
  for (const type_name& to_type : integers)
    for (const type_name& from_type : integers) {
      if (from_type.size == 3) continue;
      rows.push_back(ordinary("cvt", opcode::i2i,
                              operation_bits(0x1c, 4) | to_size(to_type) | from_size(from_type) |
                                  (to_type.is_signed ? to_sign : 0) | (from_type.is_signed ? from_sign : 0),
                              mask_6 | size_mask | to_sign | from_sign, sp,
                              element_list{saturate()} + result(to_type) + integer_argument(from_type)));
    }
}

}  // namespace

void append_convert_rows(std::vector<row>& rows) {
  append_float_to_float(rows);
  append_float_to_integer(rows);
  append_integer_to_float(rows);
  append_integer_to_integer(rows);
}

}  // namespace gt200::isa::fermi
