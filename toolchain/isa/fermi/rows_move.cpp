// Moves, selections, predicates, votes.
#include "toolchain/isa/fermi/opcode_table.h"
#include "toolchain/isa/fermi/operand_text.h"

namespace gt200::isa::fermi {
namespace {

constexpr auto sp = unit_class::sp;
constexpr bit_field test_field = {20, 5};
constexpr bit_field condition_field = {5, 5};

void append_value_rows(std::vector<row>& rows) {
  rows.push_back(ordinary("selp", opcode::sel, operation_bits(0x20, 4), mask_6, sp,
                          {word("b32"), to(), first(), second(), predicate_from(2, 49, 52)}));
  rows.push_back(ordinary(
      "prmt", opcode::prmt, operation_bits(0x24, 4), mask_6, sp,
      {choice<&instruction::permute>(
           {5, 3},
           {{1, 1, "f4e"}, {2, 2, "b4e"}, {3, 3, "rc8"}, {4, 4, "ecl"}, {5, 5, "ecr"}, {6, 6, "rc16"}, {0, 0, ""}}),
       word("b32"), to(), first(), second_of_three(), third()}));
  rows.push_back(unnamed("mov", opcode::mov, operation_bits(0x28, 4), mask_6, sp,
                         {lanes_of_quad(), word("mov"), word("b32"), to(), second()}));
  rows.push_back(ordinary("mov", opcode::s2r, operation_bits(0x2c, 4), mask_6, sp,
                          {word("b32"), to(), special_register({26, 8})}));
  rows.push_back(ordinary("lepc", opcode::lepc, operation_bits(0x44, 4), mask_6, sp, {to()}));
}

// All predicates and $c as one word.
void append_flags_rows(std::vector<row>& rows) {
  const element high = flag<&instruction::high>(5, "high");
  // "$r1 or": the bits outside of the mask.
  element background = first();
  background.text = [](const element&, instruction& i, text_stream& s, std::string&) {
    operand& o = i.source[0];
    if (!s.printing() && (s.peek() == "high" || s.peek() == "$flags")) {
      o = {operand_kind::gpr};
      return;
    }
    if (s.printing() && o.index == zero_register) return;
    transfer_register_text(o, 1, s);
    if (s.ok()) s.literal("or");
  };
  rows.push_back(ordinary("mov", opcode::p2r, operation_bits(0x30, 4), mask_6, sp,
                          {to(), background, high, word("$flags"), word("mask"), second()}));
  rows.push_back(ordinary("mov", opcode::r2p, operation_bits(0x34, 4), mask_6, sp,
                          {high, word("$flags"), first(), word("mask"), second()}));
}

void append_predicate_rows(std::vector<row>& rows) {
  const element result = flag<&instruction::float_result>(5, "f32", "b32");
  const element test = condition_code_compare(test_field);
  const element operation = choice<&instruction::logic>({30, 2}, {{0, 0, "and"}, {1, 1, "or"}, {2, 2, "xor"}});
  const element left = predicate_from(0, 20, 23);
  const element right = predicate_from(1, 26, 29);
  const element_list predicates = {predicate_to(0, {17, 3}), predicate_to(1, {14, 3})};
  rows.push_back(ordinary("set", opcode::cset, operation_bits(0x00, 4), mask_6, sp,
                          {result, to(), carry_to(48), test, combined()}));
  rows.push_back(ordinary("set", opcode::csetp, operation_bits(0x04, 4), mask_6, sp,
                          {predicates[0], predicates[1], test, combined()}));
  rows.push_back(ordinary("set", opcode::pset, operation_bits(0x08, 4), mask_6, sp,
                          {result, to(), carry_to(48), left, operation, right, combined()}));
  rows.push_back(ordinary("set", opcode::psetp, operation_bits(0x0c, 4), mask_6, sp,
                          {predicates[0], predicates[1], left, operation, right, combined()}));
  rows.push_back(ordinary("vote", opcode::vote, operation_bits(0x48, 4), mask_6, sp,
                          {choice<&instruction::vote>({5, 2}, {{0, 0, "all"}, {1, 1, "any"}, {2, 2, "uni"}}), to(),
                           predicate_to(0, {54, 3}), left}));
}

void append_idle_rows(std::vector<row>& rows) {
  constexpr std::uint64_t event_bit = std::uint64_t{1} << 50;
  rows.push_back(unnamed("nop", opcode::nop, operation_bits(0x40, 4), mask_6 | event_bit, unit_class::none,
                         {condition_code_test(condition_field), word("nop")}));
  rows.push_back(unnamed("pmevent", opcode::pmtrig, operation_bits(0x40, 4) | event_bit, mask_6 | event_bit,
                         unit_class::none,
                         {condition_code_test(condition_field), word("pmevent"), immediate(0, {26, 16})}));
}

}  // namespace

void append_move_rows(std::vector<row>& rows) {
  append_value_rows(rows);
  append_flags_rows(rows);
  append_predicate_rows(rows);
  append_idle_rows(rows);
}

}  // namespace gt200::isa::fermi
