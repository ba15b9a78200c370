// Single precision.
#include "toolchain/isa/fermi/opcode_table.h"

namespace gt200::isa::fermi {
namespace {

constexpr auto sp = unit_class::sp;
constexpr auto high = immediate_form::high;

element ftz(std::uint8_t bit) { return flag<&instruction::ftz>(bit, "ftz"); }
element fmz() { return flag<&instruction::fmz>(7, "fmz"); }
element saturate(std::uint8_t bit) { return flag<&instruction::saturate>(bit, "sat"); }

// Both sources with sign and absolute value.
element_list two_sources() {
  return {negated<0>(9), absolute<0>(7), first(), negated<1>(8), absolute<1>(6), second(high)};
}
element_list operator+(element_list left, const element_list& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

void append_compare_rows(std::vector<row>& rows) {
  const element result = flag<&instruction::float_result>(5, "f32", "b32");
  rows.push_back(unnamed("min", opcode::fmnmx, operation_bits(0x08, 0), mask_5, sp,
                         element_list{min_or_max(), ftz(5), word("f32"), to(), carry_to(48)} + two_sources()));
  rows.push_back(
      ordinary("set", opcode::fset, operation_bits(0x10, 0), operation_bits(0xf0, 7), sp,
               element_list{ftz(59), result, to(), carry_to(48), comparison({55, 4}, true), word("f32")} +
                   two_sources() + element_list{combined()}));
  rows.push_back(ordinary("set", opcode::fsetp, operation_bits(0x20, 0), operation_bits(0xf0, 7), sp,
                          element_list{ftz(59), predicate_to(0, {17, 3}), predicate_to(1, {14, 3}),
                                       comparison({55, 4}, true), word("f32")} +
                              two_sources() + element_list{combined()}));
  rows.push_back(ordinary("slct", opcode::fcmp, operation_bits(0x38, 0), mask_5, sp,
                          {ftz(5), word("b32"), to(), first(), second_of_three(high), comparison({55, 4}, true),
                           word("f32"), third()}));
}

void append_arithmetic_rows(std::vector<row>& rows) {
  const element scale = choice<&instruction::scale>(
      {49, 3},
      {{0, 0, ""}, {1, 1, "div2"}, {2, 2, "div4"}, {3, 3, "div8"}, {4, 4, "mul8"}, {5, 5, "mul4"}, {6, 6, "mul2"}});
  rows.push_back(ordinary(
      "fma", opcode::ffma, operation_bits(0x30, 0), mask_5, sp,
      {ftz(6), fmz(), saturate(5), float_rounding(55), word("f32"), to(), carry_to(48),
       flag<&instruction::negate_product>(9, "neg"), first(), second_of_three(high), negated<2>(8), third()}));
  rows.push_back(ordinary(
      "add", opcode::fadd, operation_bits(0x50, 0), mask_5, sp,
      element_list{ftz(5), saturate(49), float_rounding(55), word("f32"), to(), carry_to(48)} + two_sources()));
  rows.push_back(ordinary(
      "mul", opcode::fmul, operation_bits(0x58, 0), mask_5, sp,
      {scale, fmz(), ftz(6), saturate(5), float_rounding(55), flag<&instruction::negate_product>(57, "neg"),
       word("f32"), to(), carry_to(48), first(), second(high)}));
}

void append_function_rows(std::vector<row>& rows) {
  for (const bool ex2 : {false, true})
    rows.push_back(ordinary(
        ex2 ? "preex2" : "presin", opcode::rro, operation_bits(0x60, 0) | (ex2 ? 0x20u : 0u), mask_5 | 0x20, sp,
        {fixed<&instruction::range_of_ex2>(ex2), word("f32"), to(), negated<1>(8), absolute<1>(6), second(high)}));
  struct function {
    const char* name;
    mufu_function value;
  };
  constexpr function functions[] = {{"cos", mufu_function::cos},       {"sin", mufu_function::sin},
                                    {"ex2", mufu_function::ex2},       {"lg2", mufu_function::lg2},
                                    {"rcp", mufu_function::rcp},       {"rsqrt", mufu_function::rsqrt},
                                    {"rcp64h", mufu_function::rcp64h}, {"rsqrt64h", mufu_function::rsqrt64h}};
  for (const function& f : functions) {
    const bool is_f32 = f.value < mufu_function::rcp64h;
    element_list elements = {fixed<&instruction::function>(f.value), saturate(5)};
    if (is_f32) elements.push_back(word("f32"));
    elements = std::move(elements) + element_list{to(), negated<0>(9), absolute<0>(7), first()};
    rows.push_back(ordinary(f.name, opcode::mufu,
                            operation_bits(0xc8, 0) | std::uint64_t{static_cast<unsigned>(f.value)} << 26,
                            mask_5 | 0x1c000000, unit_class::sfu, std::move(elements)));
  }
}

}  // namespace

void append_float_rows(std::vector<row>& rows) {
  append_compare_rows(rows);
  append_arithmetic_rows(rows);
  append_function_rows(rows);
}

}  // namespace gt200::isa::fermi
