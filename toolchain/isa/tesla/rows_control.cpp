// Control flow, barriers and texture fetches.
#include <tuple>

#include "toolchain/isa/tesla/row_elements.h"

namespace gt200::isa::tesla {

void append_control_rows(std::vector<row>& rows) {
  using f = encoding_format;
  using k = control_kind;
  const element target = simple(element_kind::target);
  const auto add = [&rows](const char* name, opcode op, f format, std::uint32_t primary, k control,
                           element_list elements, std::uint8_t capability = 10) {
    rows.push_back({name,
                    op,
                    format,
                    {primary << 28, 0},
                    {0xf0000000, 0},
                    unit_class::control,
                    capability,
                    std::move(elements),
                    control});
  };
  add("bra", opcode::bra, f::control, 1, k::bra, {target});
  add("call", opcode::call, f::control_plain, 2, k::call, {flag<&instruction::call_limit>(38, "lim"), target});
  add("ret", opcode::ret, f::control, 3, k::ret, {});
  add("breakaddr", opcode::prebrk, f::control_plain, 4, k::prebrk, {target});
  add("break", opcode::brk, f::control, 5, k::brk, {});
  add("quadon", opcode::quadon, f::control_plain, 6, k::quadon, {});
  add("quadpop", opcode::quadpop, f::control_plain, 7, k::quadpop, {});
  add("trap", opcode::trap, f::control_plain, 9, k::trap, {});
  add("joinat", opcode::joinat, f::control_plain, 10, k::joinat, {target});
  add("brkpt", opcode::brkpt, f::control, 11, k::brkpt, {}, 11);
  add("trap", opcode::trap, f::short_control, 9, k::trap, {});
  add("brkpt", opcode::brkpt, f::short_control, 11, k::brkpt, {}, 11);

  // No Tesla chip has these two; their primary opcodes are free in the control format.
  for (const auto& [name, op, primary] :
       {std::tuple("regacquire", opcode::regacquire, 12u), std::tuple("regrelease", opcode::regrelease, 13u)})
    add(name, op, f::control_plain, primary, k::none,
        {simple(element_kind::section_first), simple(element_kind::section_count)});

  const element increment = flag<&instruction::barrier_increment>(25, "inc");
  const element wait = flag<&instruction::barrier_wait>(26, "wait");
  const element id = simple(element_kind::barrier_id);
  const element all = fixed<&instruction::barrier_all>(true, "all");
  const element with_mask = fixed<&instruction::barrier_all>(false);
  rows.push_back({"bar",
                  opcode::bar,
                  f::control_plain,
                  {0x80000000, 0},
                  {0xf0000000, 0x00004000},
                  unit_class::barrier,
                  10,
                  {increment, wait, id, with_mask, simple(element_kind::barrier_mask)}});
  rows.push_back({"bar",
                  opcode::bar,
                  f::control_plain,
                  {0x80000000, 0x00004000},
                  {0xf0000000, 0x00004000},
                  unit_class::barrier,
                  10,
                  {increment, wait, id, all}});
}

void append_texture_rows(std::vector<row>& rows) {
  using f = encoding_format;
  const auto number = [](element_kind kind, bit_field bits) {
    return operand_element(kind, 0, width::word, bits, true);
  };
  const element unit = number(element_kind::texture_unit, {9, 8});
  const element sampler = number(element_kind::sampler_unit, {17, 5});
  const auto registers = [](element_kind kind, bool is_long) {
    return operand_element(kind, destination_slot, width::word, is_long ? bit_field{2, 7} : bit_field{2, 6},
                           is_long);
  };
  const element live = flag<&instruction::texture_live>(34, "live", "all");
  const element derivatives = flag<&instruction::texture_derivatives>(35, "deriv");
  const element short_live = flag<&instruction::texture_live>(8, "live", "all");
  const auto offset = [](std::uint8_t axis, std::uint8_t low) {
    return operand_element(element_kind::texture_offset, axis, width::word, {low, 4}, true);
  };
  const auto add = [&](const char* name, opcode op, std::uint32_t first_word) {
    rows.push_back({name,
                    op,
                    f::short_,
                    {first_word, 0},
                    {0xf1000000, 0},
                    unit_class::texture,
                    10,
                    {short_live, registers(element_kind::texture_destination, false), unit, sampler,
                     registers(element_kind::texture_source, false)}});
    rows.push_back({name,
                    op,
                    f::long_,
                    {first_word, 0},
                    {0xf9000000, 0xe0000000},
                    unit_class::texture,
                    10,
                    {live, derivatives, registers(element_kind::texture_destination, true), unit, sampler,
                     registers(element_kind::texture_source, true), offset(0, 56), offset(1, 52), offset(2, 48)}});
  };
  add("texauto", opcode::tex, 0xf0000000);        // float coordinates
  add("texfetch", opcode::texfetch, 0xf1000000);  // integer coordinates
}

}  // namespace gt200::isa::tesla
