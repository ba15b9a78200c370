// Double precision (compute capability 1.3): register pairs only.
#include "toolchain/isa/tesla/row_elements.h"

namespace gt200::isa::tesla {

void append_double_rows(std::vector<row>& rows) {
  constexpr auto d = width::pair;
  const auto rounded = [](bit_field bits) {
    return choice<&instruction::round>(bits, rounding_names(rounding_target::same_format));
  };
  const element f64 = word("f64");
  const element negate_1 = source_flag<0, &operand::negate>(58, "neg");
  const element negate_2 = source_flag<1, &operand::negate>(59, "neg");
  const element negate_3 = source_flag<2, &operand::negate>(59, "neg");
  const element absolute_1 = source_flag<0, &operand::absolute>(52, "abs");
  const element absolute_2 = source_flag<1, &operand::absolute>(51, "abs");
  const element source_1 = from(0, field_1, d);
  const element source_2 = from(1, field_2, d);
  const auto add = [&rows](const char* name, opcode op, std::uint32_t second_word, element_list elements) {
    rows.push_back({name,
                    op,
                    encoding_format::long_,
                    {0xe0000000, second_word},
                    {0xf0000000, 0xe0000000},
                    unit_class::dp,
                    13,
                    std::move(elements)});
  };
  add("fma", opcode::dfma, 0x40000000,
      {rounded({54, 2}), f64, condition_to(), to(d), negate_1, source_1, source_2, negate_3, from(2, field_3, d)});
  add("add", opcode::dadd, 0x60000000,
      {rounded({16, 2}), f64, condition_to(), to(d), negate_1, source_1, negate_2, from(1, field_3, d)});
  add("mul", opcode::dmul, 0x80000000,
      {rounded({49, 2}), f64, condition_to(), to(d), negate_1, source_1, source_2});
  const element_list both = {negate_1, absolute_1, source_1, negate_2, absolute_2, source_2};
  const auto with_sources = [&both](element_list head) {
    head.insert(head.end(), both.begin(), both.end());
    return head;
  };
  add("min", opcode::dmin, 0xa0000000, with_sources({f64, condition_to(), to(d)}));
  add("max", opcode::dmax, 0xc0000000, with_sources({f64, condition_to(), to(d)}));
  add("set", opcode::dset, 0xe0000000, with_sources({condition_to(), to(width::word), float_condition(), f64}));
}

std::vector<choice_entry> rounding_names(rounding_target target) {
  const bool integral = target == rounding_target::integer;
  return {{0, static_cast<std::uint8_t>(rounding::nearest), integral ? "rni" : "rn"},
          {1, static_cast<std::uint8_t>(rounding::minus), integral ? "rmi" : "rm"},
          {2, static_cast<std::uint8_t>(rounding::plus), integral ? "rpi" : "rp"},
          {3, static_cast<std::uint8_t>(rounding::zero), integral ? "rzi" : "rz"}};
}

}  // namespace gt200::isa::tesla
