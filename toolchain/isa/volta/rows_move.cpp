// Moves, selections, predicates, special registers, exchange between lanes.
#include "toolchain/isa/volta/opcode_table.h"

namespace gt200::isa::volta {
namespace {

constexpr auto alu = unit_class::sp;

// A number behind the last operand that is left out when it has its usual value.
template <auto Member, unsigned Usual>
element optional_number(bit_field bits) {
  element e = number<Member>(bits);
  e.text = [](const element& self, instruction& i, line_text& s, std::string& label) {
    if (s.printing() ? self.get(i) == Usual : s.peek_operand().empty()) return self.set(i, Usual);
    number<Member>(self.field).text(self, i, s, label);
  };
  return e;
}

void append_lane_rows(std::vector<row>& rows) {
  constexpr auto unit = unit_class::shared;  // the exchange network is that of shared memory
  const element mode =
      choice<&instruction::shuffle>({58, 2}, {{0, 0, "IDX"}, {1, 1, "UP"}, {2, 2, "DOWN"}, {3, 3, "BFLY"}});
  const auto shuffle = [&](std::uint32_t code, const element& lane, const element& clamp) {
    rows.push_back(
        whole("SHFL", opcode::shfl, code, unit, {mode, predicate_to(0, 81), to(), gpr(0, 24), lane, clamp}));
  };
  const element lane_number = immediate(1, {53, 5});
  const element clamp_number = immediate(2, {40, 13});
  shuffle(0x389, gpr(1, 32), gpr(2, 64));
  shuffle(0x589, gpr(1, 32), clamp_number);
  shuffle(0x989, lane_number, gpr(2, 64));
  shuffle(0xf89, lane_number, clamp_number);
  rows.push_back(whole("VOTE", opcode::vote, 0x806, alu,
                       {choice<&instruction::vote>({72, 2}, {{0, 0, "ALL"}, {1, 1, "ANY"}, {2, 2, "EQ"}}),
                        optional_to(), predicate_to(0, 81), predicate_from(0, 87)}));
  rows.push_back(
      whole("MATCH", opcode::match, 0x3a1, unit,
            {choice<&instruction::all_lanes>({79, 1}, {{1, 0, "ANY"}, {0, 1, "ALL"}}),
             flag<&instruction::wide>(73, "U64"), predicate_to(0, 81, code_true), to(), gpr_by_width(0, 24)}));
}

}  // namespace

void append_move_rows(std::vector<row>& rows) {
  rows.push_back(arithmetic("MOV", opcode::mov, 0x002, alu,
                            {to(), source(place::b), optional_number<&instruction::quad_lanes, 15>({72, 4})}));
  rows.push_back(arithmetic("SEL", opcode::sel, 0x007, alu,
                            {to(), source(place::a), source(place::b), predicate_from(0, 87)}));
  const element mode = choice<&instruction::permute>(
      {72, 3},
      {{0, 0, ""}, {1, 1, "F4E"}, {2, 2, "B4E"}, {3, 3, "RC8"}, {4, 4, "ECL"}, {5, 5, "ECR"}, {6, 6, "RC16"}});
  rows.push_back(arithmetic("PRMT", opcode::prmt, 0x016, alu,
                            {mode, to(), source(place::a), source(place::b_of_3), source(place::c_of_3)}));
  element table = number(
      {64, 3, 72, 5}, [](const instruction& i) -> std::uint32_t { return i.lut[0]; },
      [](instruction& i, std::uint32_t v) { i.lut[0] = static_cast<std::uint8_t>(v); });
  element second_table = number(
      {16, 8}, [](const instruction& i) -> std::uint32_t { return i.lut[1]; },
      [](instruction& i, std::uint32_t v) { i.lut[1] = static_cast<std::uint8_t>(v); });
  rows.push_back(whole("PLOP3", opcode::plop3, 0x81c, alu,
                       {word("LUT"), predicate_to(0, 81), predicate_to(1, 84), predicate_from(0, 87),
                        predicate_from(1, 77), predicate_from(2, 68), table, second_table}));
  rows.push_back(
      arithmetic("P2R", opcode::p2r, 0x003, alu,
                 {choice<&instruction::byte>({76, 2}, {{0, 0, ""}, {1, 1, "B1"}, {2, 2, "B2"}, {3, 3, "B3"}}), to(),
                  all_predicates(), source(place::a), source(place::b)}));
  // The byte is part of the operand's text.
  element from = source(place::a);
  from.bits = [](const element&, instruction& i, wide_bit_stream& s) {
    constexpr operand_part parts[] = {operand_part::whole, operand_part::b1, operand_part::b2, operand_part::b3};
    const element whole_register = source(place::a);
    std::uint32_t code = 0;
    while (!s.reading() && code < 4 && parts[code] != i.source[0].part) ++code;
    if (code == 4) return s.fail("this part of a register does not exist here");
    whole_register.bits(whole_register, i, s);
    s.transfer(code, bit_field{76, 2}, "byte of a register");
    i.source[0].part = parts[code];
    i.byte = static_cast<std::uint8_t>(code);
  };
  element mask = source(place::b);
  mask.text = [](const element&, instruction& i, line_text& s, std::string& label) {
    constexpr std::int32_t all = 0xff;
    operand& o = i.source[1];
    if (s.printing() ? o.kind == operand_kind::immediate && o.value == all : s.peek_operand().empty()) {
      o.kind = operand_kind::immediate;
      o.value = all;
      return;
    }
    const element plain = source(place::b);
    plain.text(plain, i, s, label);
  };
  rows.push_back(arithmetic("R2P", opcode::r2p, 0x004, alu, {all_predicates(), from, mask}));
  rows.push_back(whole("S2R", opcode::s2r, 0x919, unit_class::sfu, {to(), special_register()}));
  rows.push_back(whole("CS2R", opcode::cs2r, 0x805, alu,
                       {flag<&instruction::wide>(80, "", "32"), to_by_width(), special_register()}));
  rows.push_back(whole("LEPC", opcode::lepc, 0x34e, alu, {to(2)}));
  rows.push_back(with_bits(
      whole("B2R", opcode::b2r, 0x31c, unit_class::barrier, {word("RESULT"), to(), predicate_to(0, 81, code_true)}),
      {{77, 2, 2}}));
  append_lane_rows(rows);
}

}  // namespace gt200::isa::volta
