// Single-precision arithmetic and the special functions.
#include "toolchain/isa/tesla/row_elements.h"

namespace gt200::isa::tesla {
namespace {

using f = encoding_format;
constexpr auto w = width::word;

element negate_1(std::uint8_t bit) { return source_flag<0, &operand::negate>(bit, "neg"); }
element negate_2(std::uint8_t bit) { return source_flag<1, &operand::negate>(bit, "neg"); }
element negate_3(std::uint8_t bit) { return source_flag<2, &operand::negate>(bit, "neg"); }
element sat(std::uint8_t bit) { return flag<&instruction::saturate>(bit, "sat"); }
element nearest_or_zero(bit_field bits) {
  return choice<&instruction::round>(bits, {{0, static_cast<std::uint8_t>(rounding::nearest), "rn"},
                                            {3, static_cast<std::uint8_t>(rounding::zero), "rz"}});
}

void append_arithmetic_rows(std::vector<row>& rows) {
  const element f32 = word("f32");
  const element constant = immediate(1, field_immediate_32);
  const element open = word("(");
  const element mul = word("mul");
  const element close = word(")");
  const element addend = from(2, short_field_destination);

  const auto sp = unit_class::sp;
  const auto multiplier = unit_class::sp_mul;
  rows.push_back({"add",
                  opcode::fadd,
                  f::short_,
                  {0xb0000000, 0},
                  {0xf0000000, 0},
                  sp,
                  10,
                  {sat(8), f32, short_to(w), negate_1(15), short_first(w), negate_2(22), short_second(w)}});
  rows.push_back({"add",
                  opcode::fadd,
                  f::long_,
                  {0xb0000000, 0},
                  {0xf0000000, 0xc0000000},
                  sp,
                  10,
                  {sat(61), nearest_or_zero({16, 2}), f32, condition_to(), to(w), negate_1(58), first(w),
                   negate_2(59), third(1, w)}});
  rows.push_back({"add",
                  opcode::fadd,
                  f::immediate,
                  {0xb0000000, 0},
                  {0xf0000000, 0},
                  sp,
                  10,
                  {sat(8), f32, short_to(w), negate_1(15), short_first(w), negate_2(22), constant}});

  // Saturation of a multiplication was added in compute capability 1.2.
  rows.push_back({"mul",
                  opcode::fmul,
                  f::short_,
                  {0xc0000000, 0},
                  {0xf0000000, 0},
                  multiplier,
                  10,
                  {sat(8), f32, short_to(w), negate_1(15), short_first(w), negate_2(22), short_second(w)}});
  rows.push_back({"mul",
                  opcode::fmul,
                  f::long_,
                  {0xc0000000, 0},
                  {0xf0000000, 0xe0000000},
                  multiplier,
                  10,
                  {sat(52), nearest_or_zero({46, 2}), f32, condition_to(), to(w), negate_1(58), first(w),
                   negate_2(59), second(w)}});
  rows.push_back({"mul",
                  opcode::fmul,
                  f::immediate,
                  {0xc0000000, 0},
                  {0xf0000000, 0},
                  multiplier,
                  10,
                  {sat(8), f32, short_to(w), negate_1(15), short_first(w), negate_2(22), constant}});

  rows.push_back({"add",
                  opcode::fmad,
                  f::short_,
                  {0xe0000000, 0},
                  {0xf0000000, 0},
                  sp,
                  10,
                  {sat(8), f32, short_to(w), negate_1(15), open, mul, short_first(w), short_second(w), close,
                   negate_3(22), addend}});
  rows.push_back({"add",
                  opcode::fmad,
                  f::long_,
                  {0xe0000000, 0},
                  {0xf0000000, 0xc0000000},
                  sp,
                  10,
                  {sat(61), f32, condition_to(), to(w), negate_1(58), open, mul, first(w), second(w), close,
                   negate_3(59), third(2, w), ignored({54, 4})}});
  rows.push_back(
      {"add",
       opcode::fmad,
       f::immediate,
       {0xe0000000, 0},
       {0xf0000000, 0},
       sp,
       10,
       {sat(8), f32, short_to(w), negate_1(15), open, mul, short_first(w), constant, close, negate_3(22), addend}});
}

void append_compare_rows(std::vector<row>& rows) {
  const element f32 = word("f32");
  const element condition = float_condition();
  const element_list sources = {negate_1(58), source_flag<0, &operand::absolute>(52, "abs"), first(w),
                                negate_2(59), source_flag<1, &operand::absolute>(51, "abs"), second(w)};
  const auto add = [&](const char* name, opcode op, std::uint32_t second_word, element_list elements) {
    elements.insert(elements.end(), sources.begin(), sources.end());
    rows.push_back({name,
                    op,
                    f::long_,
                    {0xb0000000, second_word},
                    {0xf0000000, 0xe0000000},
                    unit_class::sp,
                    10,
                    std::move(elements)});
  };
  add("set", opcode::fset, 0x60000000, {condition_to(), to(w), condition, f32});
  add("max", opcode::fmax, 0x80000000, {f32, condition_to(), to(w)});
  add("min", opcode::fmin, 0xa0000000, {f32, condition_to(), to(w)});
  rows.push_back({"slct",
                  opcode::fslct,
                  f::long_,
                  {0xc0000000, 0x40000000},
                  {0xf0000000, 0xc0000000},
                  unit_class::sp,
                  10,
                  {word("b32"), condition_to(), to(w), first(w), second(w), f32, negate_3(61), third(2, w)}});
}

void append_special_function_rows(std::vector<row>& rows) {
  const element f32 = word("f32");
  const element absolute = source_flag<0, &operand::absolute>(52, "abs");
  rows.push_back(
      {"rcp",
       opcode::rcp,
       f::short_,
       {0x90000000, 0},
       {0xf0000000, 0},
       unit_class::sfu,
       10,
       {f32, short_to(w), negate_1(22), source_flag<0, &operand::absolute>(15, "abs"), from(0, short_field_1)}});
  const auto add = [&](const char* name, opcode op, std::uint32_t second_word, element_list elements,
                       unit_class unit = unit_class::sfu) {
    rows.push_back(
        {name, op, f::long_, {0x90000000, second_word}, {0xf0000000, 0xe0000000}, unit, 10, std::move(elements)});
  };
  add("rcp", opcode::rcp, 0x00000000, {f32, to(w), negate_1(58), absolute, from(0, field_1)});
  add("rsqrt", opcode::rsqrt, 0x40000000, {f32, to(w), negate_1(58), absolute, from(0, field_1)});
  add("lg2", opcode::lg2, 0x60000000, {f32, to(w), negate_1(58), absolute, from(0, field_1)});
  add("sin", opcode::sin, 0x80000000, {f32, to(w), from(0, field_1)}, unit_class::sfu_reduced);
  add("cos", opcode::cos, 0xa0000000, {f32, to(w), from(0, field_1)}, unit_class::sfu_reduced);
  add("ex2", opcode::ex2, 0xc0000000, {f32, sat(59), to(w), from(0, field_1)}, unit_class::sfu_reduced);

  // Range reduction before sin, cos and ex2; executed like an addition.
  const auto reduce = [&](const char* name, opcode op, std::uint32_t second_word) {
    rows.push_back({name,
                    op,
                    f::long_,
                    {0xb0000000, second_word},
                    {0xf0000000, 0xe0004000},
                    unit_class::sp,
                    10,
                    {f32, to(w), negate_1(58), absolute, first(w)}});
  };
  reduce("presin", opcode::presin, 0xc0000000);
  reduce("preex2", opcode::preex2, 0xc0004000);
}

template <int Lane>
element quad_operation(bit_field bits) {
  element e;
  e.kind = element_kind::choice;
  e.bits = bits;
  e.choices = {{0, 0, "add"}, {1, 1, "subr"}, {2, 2, "sub"}, {3, 3, "mov2"}};
  e.get = [](const instruction& i) -> std::uint32_t { return i.quad_operation[Lane]; };
  e.set = [](instruction& i, std::uint32_t v) { i.quad_operation[Lane] = static_cast<std::uint8_t>(v); };
  return e;
}

void append_quad_rows(std::vector<row>& rows) {
  const element lane = choice<&instruction::quad_lane>(
      {16, 3}, {{0, 0, "l0"}, {1, 1, "l1"}, {2, 2, "l2"}, {3, 3, "l3"}, {4, 4, "dx"}, {5, 5, "dy"}});
  rows.push_back({"quadop",
                  opcode::quadop,
                  f::long_,
                  {0xc0000000, 0x80000000},
                  {0xf0000000, 0xe0000000},
                  unit_class::sp,
                  10,
                  {word("f32"), quad_operation<0>({58, 2}), quad_operation<1>({56, 2}), quad_operation<2>({54, 2}),
                   quad_operation<3>({20, 2}), condition_to(), to(w), lane, from(0, field_1), from(1, field_3)}});
}

}  // namespace

element float_condition() {
  static constexpr std::array<const char*, 16> names = {"never", "l",  "e",  "le",  "g",  "lg",  "ge",  "lge",
                                                        "u",     "lu", "eu", "leu", "gu", "lgu", "geu", "always"};
  std::vector<choice_entry> entries;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const auto code = static_cast<std::uint8_t>(k);
    entries.push_back({code, code, names[k]});
  }
  return choice<&instruction::compare>({46, 4}, std::move(entries));
}

void append_float_rows(std::vector<row>& rows) {
  append_arithmetic_rows(rows);
  append_compare_rows(rows);
  append_special_function_rows(rows);
  append_quad_rows(rows);
}

}  // namespace gt200::isa::tesla
