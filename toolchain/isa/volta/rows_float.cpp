// Single and double precision.
#include "toolchain/isa/volta/opcode_table.h"

namespace gt200::isa::volta {
namespace {

constexpr auto sp = unit_class::sp;        // the integer lanes compare and select
constexpr auto fp32 = unit_class::sp_mul;  // lanes of their own, which multiply integers too
constexpr auto dp = unit_class::dp;
constexpr auto f32 = immediate_form::float32;
constexpr auto f64 = immediate_form::high;
constexpr auto both = signs::negate_absolute;

void append_single_rows(std::vector<row>& rows) {
  const element a = source(place::a, both, f32);
  const element b = source(place::b, both, f32);
  rows.push_back(arithmetic("FADD", opcode::fadd, 0x021, fp32,
                            {ftz(), saturate(), float_rounding(), to(), a, source(place::b_of_c, both, f32)}));
  rows.push_back(arithmetic("FMUL", opcode::fmul, 0x020, fp32,
                            {choice<&instruction::scale>({84, 3}, {{4, 4, ""}, {3, 3, "D2"}, {2, 2, "D4"}}), ftz(),
                             saturate(), float_rounding(), to(), a, b}));
  rows.push_back(arithmetic("FFMA", opcode::ffma, 0x023, fp32,
                            {ftz(), saturate(), float_rounding(), to(), a, source(place::b_of_3, both, f32),
                             source(place::c_of_3, both, f32)}));
  rows.push_back(arithmetic("FMNMX", opcode::fmnmx, 0x009, sp, {ftz(), to(), a, b, predicate_from(0, 87)}));
  rows.push_back(arithmetic("FSEL", opcode::fsel, 0x008, sp, {to(), a, b, predicate_from(0, 87)}));
  rows.push_back(
      arithmetic("FSET", opcode::fset, 0x00a, sp,
                 {word("BF"), float_comparison(), ftz(), combination(), to(), a, b, predicate_from(0, 87)}));
  rows.push_back(arithmetic("FSETP", opcode::fsetp, 0x00b, sp,
                            {float_comparison(), ftz(), combination(), predicate_to(0, 81), predicate_to(1, 84), a,
                             b, predicate_from(0, 87)}));
  rows.push_back(arithmetic("FCHK", opcode::fchk, 0x102, unit_class::sfu, {predicate_to(0, 81), a, b}));
  const element function = choice<&instruction::function>({74, 6}, {{0, 0, "COS"},
                                                                    {1, 1, "SIN"},
                                                                    {2, 2, "EX2"},
                                                                    {3, 3, "LG2"},
                                                                    {4, 4, "RCP"},
                                                                    {5, 5, "RSQ"},
                                                                    {6, 6, "RCP64H"},
                                                                    {7, 7, "RSQ64H"},
                                                                    {8, 8, "SQRT"}});
  // The operand of the last two is the upper word of a float64.
  element argument = b;
  argument.text = [](const element&, instruction& i, line_text& s, std::string& label) {
    const bool is_upper_word = i.function == mufu_function::rcp64h || i.function == mufu_function::rsq64h;
    const element e = source(place::b, both, is_upper_word ? f64 : f32);
    e.text(e, i, s, label);
  };
  argument.bits = [](const element&, instruction& i, wide_bit_stream& s) {
    const bool is_upper_word = i.function == mufu_function::rcp64h || i.function == mufu_function::rsq64h;
    const element e = source(place::b, both, is_upper_word ? f64 : f32);
    e.bits(e, i, s);
  };
  rows.push_back(arithmetic("MUFU", opcode::mufu, 0x108, unit_class::sfu, {function, to(), argument}));
}

void append_double_rows(std::vector<row>& rows) {
  const element a = source(place::a, both, f64, 2);
  rows.push_back(
      arithmetic("DADD", opcode::dadd, 0x029, dp, {float_rounding(), to(2), a, source(place::c, both, f64, 2)}));
  rows.push_back(
      arithmetic("DMUL", opcode::dmul, 0x028, dp, {float_rounding(), to(2), a, source(place::b, both, f64, 2)}));
  rows.push_back(arithmetic(
      "DFMA", opcode::dfma, 0x02b, dp,
      {float_rounding(), to(2), a, source(place::b_of_3, both, f64, 2), source(place::c_of_3, both, f64, 2)}));
  // Minimum and maximum write the two predicates of a comparison.
  element compare = float_comparison();
  compare.choices[0].word = "MIN";
  compare.choices[15].word = "MAX";
  rows.push_back(arithmetic("DSETP", opcode::dsetp, 0x02a, dp,
                            {compare, combination(), predicate_to(0, 81), predicate_to(1, 84), a,
                             source(place::b_of_c, both, f64, 2), predicate_from(0, 87)}));
}

}  // namespace

void append_float_rows(std::vector<row>& rows) {
  append_single_rows(rows);
  append_double_rows(rows);
}

}  // namespace gt200::isa::volta
