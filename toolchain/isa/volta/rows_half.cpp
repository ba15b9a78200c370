// Arithmetic and comparisons of half pairs: a register holds two numbers of 16 bits.
//
//   HFMA2 R9, R8.H0_H0, -R21, |R5|.H1_H1      each source as a pair, one of its halves twice, or .F32: one float
//   HADD2.F32 R11, R16.H0_H0, -RZ.H0_H0       one result of 32 bits, from the lower halves
//   HMUL2 R2, R2, 0.75, 0.5                   a number is a pair: first the upper half
//   HSETP2.GT.AND P1, P2, R15, R14, PT        P1 compares the lower halves, P2 the upper ones
#include "toolchain/isa/volta/opcode_table.h"

namespace gt200::isa::volta {

void append_half_rows(std::vector<row>& rows) {
  // Assumption: they pass through the lanes of single precision, at the same rate.
  constexpr auto unit = unit_class::sp_mul;
  const element single = flag<&instruction::single_result>(78, "F32");
  const element a = half_source(place::a);
  const element b_in_x = half_source(place::b_of_c);
  rows.push_back(arithmetic("HADD2", opcode::hadd2, 0x030, unit, {single, ftz(), saturate(), to(), a, b_in_x}));
  rows.push_back(
      arithmetic("HMUL2", opcode::hmul2, 0x032, unit, {single, ftz(), saturate(), to(), a, half_source(place::b)}));
  rows.push_back(
      arithmetic("HFMA2", opcode::hfma2, 0x031, unit,
                 {single, ftz(), saturate(), to(), a, half_source(place::b_of_3), half_source(place::c_of_3)}));
  const element combined = choice<&instruction::combine>({69, 2}, {{0, 0, "AND"}, {1, 1, "OR"}, {2, 2, "XOR"}});
  const element other = predicate_from(0, 87);
  rows.push_back(arithmetic(
      "HSET2", opcode::hset2, 0x033, unit,
      {flag<&instruction::ones>(71, "BF"), float_comparison(), ftz(), combined, to(), a, b_in_x, other}));
  rows.push_back(arithmetic("HSETP2", opcode::hsetp2, 0x034, unit,
                            {float_comparison(), flag<&instruction::both_halves>(71, "H_AND"), ftz(), combined,
                             predicate_to(0, 81), predicate_to(1, 84), a, b_in_x, other}));
}

}  // namespace gt200::isa::volta
