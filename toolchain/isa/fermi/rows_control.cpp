// Control flow and barriers.
#include "toolchain/isa/fermi/opcode_table.h"

namespace gt200::isa::fermi {
namespace {

constexpr std::uint64_t indirect_bit = 0x4000;

element limit() { return flag<&instruction::limit>(16, "lim"); }
element all_warp() { return flag<&instruction::all_warp>(15, "allwarp"); }

void append_branch_rows(std::vector<row>& rows) {
  const auto add = [&rows](const char* name, opcode op, encoding_format format, std::uint64_t bits,
                           control_kind control, element_list elements) {
    elements.insert(elements.begin(), word(name));
    rows.push_back(
        {name, op, format, bits, mask_5 | indirect_bit, unit_class::control, std::move(elements), control});
  };
  constexpr auto guarded = encoding_format::control;
  constexpr auto plain = encoding_format::control_plain;
  add("bra", opcode::bra, guarded, operation_bits(0x40, 7), control_kind::bra,
      {limit(), all_warp(), relative_target()});
  add("bra", opcode::jmp, guarded, operation_bits(0x00, 7), control_kind::bra,
      {limit(), all_warp(), word("abs"), absolute_target()});
  add("bra", opcode::brx, guarded, operation_bits(0x48, 7) | indirect_bit, control_kind::brx,
      {limit(), word("pcrel"), indexed_constant()});
  add("call", opcode::cal, plain, operation_bits(0x50, 7), control_kind::cal, {limit(), relative_target()});
  add("call", opcode::jcal, plain, operation_bits(0x10, 7), control_kind::cal,
      {limit(), word("abs"), absolute_target()});
  add("prelongjmp", opcode::plongjmp, plain, operation_bits(0x58, 7), control_kind::plongjmp, {relative_target()});
  add("joinat", opcode::ssy, plain, operation_bits(0x60, 7), control_kind::ssy, {relative_target()});
  add("prebrk", opcode::pbk, plain, operation_bits(0x68, 7), control_kind::pbk, {relative_target()});
  add("precont", opcode::pcnt, plain, operation_bits(0x70, 7), control_kind::pcnt, {relative_target()});
  add("preret", opcode::pret, plain, operation_bits(0x78, 7), control_kind::pret, {limit(), relative_target()});
}

void append_leaving_rows(std::vector<row>& rows) {
  struct leaving {
    const char* name;
    opcode op;
    unsigned bits;
    control_kind control;
  };
  constexpr leaving all[] = {{"exit", opcode::exit, 0x80, control_kind::exit},
                             {"longjmp", opcode::longjmp, 0x88, control_kind::longjmp},
                             {"ret", opcode::ret, 0x90, control_kind::ret},
                             {"brk", opcode::brk, 0xa8, control_kind::brk},
                             {"cont", opcode::cont, 0xb0, control_kind::cont}};
  for (const leaving& l : all)
    rows.push_back({l.name,
                    l.op,
                    encoding_format::control,
                    operation_bits(l.bits, 7),
                    mask_5,
                    unit_class::control,
                    {word(l.name)},
                    l.control});
  struct breakpoint_name {
    const char* text;
    breakpoint_mode mode;
  };
  constexpr breakpoint_name breakpoints[] = {{"drain", breakpoint_mode::drain},
                                             {"cal", breakpoint_mode::cal},
                                             {"pause", breakpoint_mode::pause},
                                             {"trap", breakpoint_mode::trap}};
  for (const breakpoint_name& b : breakpoints)
    rows.push_back({"bpt",
                    opcode::bpt,
                    encoding_format::control_plain,
                    operation_bits(0xd0, 7) | std::uint64_t{static_cast<unsigned>(b.mode)} << 14,
                    mask_5 | 0xc000,
                    b.mode == breakpoint_mode::drain ? unit_class::barrier : unit_class::control,
                    {word("bpt"), fixed<&instruction::breakpoint>(b.mode, b.text), immediate(0, {26, 20})},
                    b.mode == breakpoint_mode::drain ? control_kind::none : control_kind::trap});
}

}  // namespace

void append_control_rows(std::vector<row>& rows) {
  append_branch_rows(rows);
  append_leaving_rows(rows);
  rows.push_back(ordinary("bar", opcode::bar, operation_bits(0x50, 4), mask_6, unit_class::barrier,
                          {choice<&instruction::barrier_operation>(
                               {5, 3}, {{0, 0, "popc"}, {1, 1, "and"}, {2, 2, "or"}, {4, 3, "arrive"}}),
                           predicate_to(0, {53, 3}), to(), register_or_number(0, 47, 20, {20, 4}),
                           register_or_number(1, 46, 26, {26, 12}), predicate_from(2, 49, 52)}));
}

}  // namespace gt200::isa::fermi
