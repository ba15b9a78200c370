// Control flow, convergence, barriers.
#include "toolchain/isa/volta/opcode_table.h"

namespace gt200::isa::volta {
namespace {

constexpr auto control = unit_class::control;

element condition() { return predicate_from(0, 87, code_true); }
element no_increment() { return flag<&instruction::no_increment>(86, "NOINC"); }
element distance() { return relative_target({34, 30}, {64, 18}); }

row flow(const char* name, opcode op, std::uint32_t code, control_kind kind, element_list elements) {
  row r = whole(name, op, code, control, std::move(elements));
  r.control = kind;
  return r;
}

void append_branch_rows(std::vector<row>& rows) {
  rows.push_back(
      flow("BRA", opcode::bra, 0x947, control_kind::bra,
           {choice<&instruction::branch>({32, 2}, {{0, 0, ""}, {1, 1, "U"}, {2, 2, "DIV"}, {3, 3, "CONV"}}),
            condition(), distance()}));
  rows.push_back(flow("BRX", opcode::brx, 0x949, control_kind::brx, {condition(), gpr(0, 24, 2), distance()}));
  const auto call = [&rows](std::uint32_t code, bool is_absolute, element_list elements) {
    elements.insert(elements.begin(), no_increment());
    elements.insert(elements.begin(),
                    fixed<&instruction::absolute_target>(is_absolute, is_absolute ? "ABS" : "REL"));
    elements.push_back(ignored({87, 4}, code_true));
    rows.push_back(flow("CALL", opcode::call, code, control_kind::call, std::move(elements)));
  };
  // Registers first: the name of a register could be that of a label.
  call(0x344, false, {gpr(0, 24, 2), distance()});
  call(0x944, false, {distance()});
  call(0x343, true, {gpr(0, 24, 2)});
  call(0x943, true, {absolute_target()});
  rows.push_back(with_bits(flow("RET", opcode::ret, 0x950, control_kind::ret,
                                {word("REL"), flag<&instruction::no_increment>(86, "NODEC"), gpr(0, 24, 2),
                                 distance(), ignored({87, 4}, code_true)}),
                           {{85, 1, 0}}));
  rows.push_back(with_bits(
      flow("RET", opcode::ret, 0x950, control_kind::ret,
           {fixed<&instruction::absolute_target>(true, "ABS"), flag<&instruction::no_increment>(86, "NODEC"),
            gpr(0, 24, 2), absolute_target(), ignored({87, 4}, code_true)}),
      {{85, 1, 1}}));
  rows.push_back(flow("EXIT", opcode::exit, 0x94d, control_kind::exit, {condition()}));
}

void append_convergence_rows(std::vector<row>& rows) {
  const element barrier = convergence_register(16);
  rows.push_back(
      flow("BSSY", opcode::bssy, 0x945, control_kind::bssy, {condition(), barrier, relative_target({34, 30})}));
  rows.push_back(flow("BSYNC", opcode::bsync, 0x941, control_kind::bsync, {condition(), barrier}));
  rows.push_back(flow("BREAK", opcode::break_, 0x942, control_kind::break_, {condition(), barrier}));
  rows.push_back(whole("BMOV", opcode::bmov, 0x355, control,
                       {word("32"), flag<&instruction::clear>(84, "CLEAR"), to(), convergence_register(24)}));
  rows.push_back(whole(
      "BMOV", opcode::bmov, 0x356, control,
      {word("32"), fixed<&instruction::moves>(register_mode::from_gpr), convergence_register(24), gpr(0, 32)}));
  // The mask of active lanes: number 0x1a of the same file.
  const auto with_active = [&rows](std::uint32_t code, register_mode mode, bool active_first) {
    element active;
    active.text = [](const element&, instruction&, line_text& s, std::string&) {
      if (s.printing()) return s.add_operand("MACTIVE");
      if (s.peek_operand() != "MACTIVE") return s.fail("MACTIVE is expected");
      s.next_operand();
    };
    const element barrier_register = convergence_register(16);
    element_list elements = {word("32"), fixed<&instruction::moves>(mode)};
    if (active_first) elements.push_back(flag<&instruction::clear>(84, "PQUAD"));
    elements.push_back(active_first ? active : barrier_register);
    elements.push_back(active_first ? barrier_register : active);
    rows.push_back(with_bits(whole("BMOV", opcode::bmov, code, control, std::move(elements)), {{24, 8, 0x1a}}));
  };
  with_active(0xf55, register_mode::active_to_barrier, false);
  with_active(0xf56, register_mode::barrier_to_active, true);
  rows.push_back(flow("WARPSYNC", opcode::warpsync, 0x348, control_kind::warpsync, {condition(), gpr(0, 32)}));
  rows.push_back(
      flow("WARPSYNC", opcode::warpsync, 0x948, control_kind::warpsync, {condition(), immediate(0, {32, 32})}));
  rows.push_back(flow("YIELD", opcode::yield, 0x946, control_kind::yield, {condition()}));
}

void append_barrier_rows(std::vector<row>& rows) {
  const element mode =
      choice<&instruction::barrier_operation>({77, 2}, {{0, 0, "SYNC"}, {1, 1, "ARV"}, {2, 2, "RED"}});
  // The combination belongs to RED alone.
  element combination = choice<&instruction::reduction>({74, 2}, {{0, 0, "POPC"}, {1, 1, "AND"}, {2, 2, "OR"}});
  combination.bits = [](const element&, instruction& i, wide_bit_stream& s) {
    auto code = static_cast<std::uint32_t>(i.reduction);
    s.transfer(code, bit_field{74, 2}, "combination of a barrier");
    if (code > 2 || (code != 0 && i.barrier_operation != barrier_mode::reduce))
      return s.fail("a combination of predicates is undefined here");
    i.reduction = static_cast<barrier_reduction>(code);
  };
  combination.text = [](const element& self, instruction& i, line_text& s, std::string&) {
    if (i.barrier_operation != barrier_mode::reduce) return;
    for (const choice_entry& c : self.choices) {
      if (s.printing() && c.value == static_cast<std::uint8_t>(i.reduction)) return s.add_modifier(c.word);
      if (!s.printing() && s.take_modifier(c.word)) {
        i.reduction = static_cast<barrier_reduction>(c.value);
        return;
      }
    }
    s.fail(".POPC, .AND or .OR is missing");
  };
  // So does the predicate; the others leave P0 in its field.
  element predicate = predicate_from(0, 87);
  predicate.text = [](const element& self, instruction& i, line_text& s, std::string& label) {
    const bool is_reduction = i.barrier_operation == barrier_mode::reduce;
    predicate_operand& p = i.predicate_source[0];
    if (is_reduction || (s.printing() ? p.index != 0 || p.negate : !s.peek_operand().empty()))
      return predicate_from(0, 87).text(self, i, s, label);
    p = {0, false};
  };
  const element defer = flag<&instruction::defer_blocking>(80, "DEFER_BLOCKING");
  const element id = immediate(0, {54, 4});
  element threads = immediate(1, {42, 12});
  threads.text = [](const element& self, instruction& i, line_text& s, std::string& label) {
    operand& o = self.of(i);
    const std::string_view next = s.printing() ? std::string_view() : s.peek_operand();
    const bool is_number = s.printing() ? o.value != 0 : !next.empty() && next[0] >= '0' && next[0] <= '9';
    if (is_number) return immediate(1, {42, 12}).text(self, i, s, label);
    o.kind = operand_kind::immediate;
    o.value = 0;
  };
  const auto add = [&](std::uint32_t code, element_list operands) {
    element_list elements = {mode, combination, defer};
    elements.insert(elements.end(), operands.begin(), operands.end());
    elements.push_back(predicate);
    rows.push_back(whole("BAR", opcode::bar, code, unit_class::barrier, std::move(elements)));
  };
  element id_in_register = gpr(0, 32);
  id_in_register.text = [](const element& self, instruction& i, line_text& s, std::string& label) {
    if (s.printing() || s.peek_operand().substr(0, 1) == "R") return gpr(0, 32).text(self, i, s, label);
    s.fail("a barrier from 0x0 to 0xf, or a register with its number, is expected" +
           (s.peek_operand().empty() ? "" : ", not '" + std::string(s.peek_operand()) + "'"));
  };
  add(0xb1d, {id, threads});
  add(0x91d, {id, gpr(1, 32)});
  // Number and threads come from one register, which the text names twice.
  add(0x31d, {id_in_register, gpr(1, 32)});
  add(0x51d, {id_in_register});
}

}  // namespace

void append_control_rows(std::vector<row>& rows) {
  append_branch_rows(rows);
  append_convergence_rows(rows);
  append_barrier_rows(rows);
  rows.push_back(with_bits(
      whole("DEPBAR", opcode::depbar, 0x91a, control,
            {word("LE"), dependency_barrier(), number<&instruction::dependency_count>({38, 6}), dependency_list()}),
      {{47, 1, 1}}));
  rows.push_back(with_bits(whole("NANOSLEEP", opcode::nanosleep, 0x95d, control,
                                 {word("WARP"), immediate(0, {32, 32}), ignored({87, 4}, code_true)}),
                           {{85, 1, 1}}));
  rows.push_back(with_bits(whole("NANOSLEEP", opcode::nanosleep, 0x35d, control,
                                 {word("WARP"), gpr(0, 32), ignored({87, 4}, code_true)}),
                           {{85, 1, 1}}));
  rows.push_back(with_bits(
      flow("BPT", opcode::bpt, 0x95c, control_kind::trap, {word("TRAP"), immediate(0, {34, 20})}), {{84, 3, 3}}));
  rows.push_back(whole("NOP", opcode::nop, 0x918, unit_class::none, {}));
}

}  // namespace gt200::isa::volta
