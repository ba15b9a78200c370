// Double precision. Operands are pairs of registers.
#include "toolchain/isa/fermi/opcode_table.h"

namespace gt200::isa::fermi {
namespace {

constexpr auto dp = unit_class::dp;
constexpr auto high = immediate_form::high;

element_list with_sources(element_list start) {
  for (element& e :
       element_list{negated<0>(9), absolute<0>(7), first(2), negated<1>(8), absolute<1>(6), second(high, 2)})
    start.push_back(std::move(e));
  return start;
}

}  // namespace

void append_double_rows(std::vector<row>& rows) {
  const element result = flag<&instruction::float_result>(5, "f32", "b32");
  const element compare = comparison({55, 4}, true);
  rows.push_back(unnamed("min", opcode::dmnmx, operation_bits(0x08, 1), mask_5, dp,
                         with_sources({min_or_max(), word("f64"), to(2), carry_to(48)})));
  element_list set = with_sources({result, to(), carry_to(48), compare, word("f64")});
  set.push_back(combined());
  rows.push_back(ordinary("set", opcode::dset, operation_bits(0x10, 1), mask_5, dp, std::move(set)));
  element_list setp = with_sources({predicate_to(0, {17, 3}), predicate_to(1, {14, 3}), compare, word("f64")});
  setp.push_back(combined());
  rows.push_back(ordinary("set", opcode::dsetp, operation_bits(0x18, 1), mask_5, dp, std::move(setp)));
  rows.push_back(
      ordinary("fma", opcode::dfma, operation_bits(0x20, 1), mask_5, dp,
               {float_rounding(55), word("f64"), to(2), carry_to(48), flag<&instruction::negate_product>(9, "neg"),
                first(2), second_of_three(high, 2), negated<2>(8), third(2)}));
  rows.push_back(ordinary("add", opcode::dadd, operation_bits(0x48, 1), mask_5, dp,
                          with_sources({float_rounding(55), word("f64"), to(2), carry_to(48)})));
  rows.push_back(ordinary("mul", opcode::dmul, operation_bits(0x50, 1), mask_5, dp,
                          {float_rounding(55), flag<&instruction::negate_product>(9, "neg"), word("f64"), to(2),
                           carry_to(48), first(2), second(high, 2)}));
}

}  // namespace gt200::isa::fermi
