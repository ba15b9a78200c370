// Integer add, compare, shift and logic.
#include "toolchain/isa/tesla/row_elements.h"

namespace gt200::isa::tesla {
namespace {

using f = encoding_format;
constexpr auto w = width::word;
constexpr auto h = width::half;
constexpr auto sp = unit_class::sp;

element bits_16(const char* text = "b16") { return fixed<&instruction::is_16bit>(true, text); }
element bits_32(const char* text = "b32") { return fixed<&instruction::is_16bit>(false, text); }
element carry_kind(bool carry) { return fixed<&instruction::addend>(carry ? addend_mode::addc : addend_mode::add); }

struct sum {
  const char* mnemonic;
  opcode op;
  std::uint32_t bits;
};
constexpr std::uint32_t sum_mask = 0x10400000;
constexpr std::array<sum, 4> sums = {{{"add", opcode::add, 0},
                                      {"sub", opcode::sub, 0x00400000},
                                      {"subr", opcode::subr, 0x10000000},
                                      {"addc", opcode::addc, 0x10400000}}};

void append_sum_rows(std::vector<row>& rows) {
  const element short_sat = flag<&instruction::saturate>(8, "sat");
  const element sat = flag<&instruction::saturate>(59, "sat");
  const element constant = immediate(1, field_immediate_32);
  for (const sum& s : sums) {
    const element kind = carry_kind(s.op == opcode::addc);
    const std::uint32_t base = 0x20000000 | s.bits;
    const std::uint32_t short_mask = 0xe0008000 | sum_mask;
    const std::uint32_t long_mask = 0xe0000000 | sum_mask;
    rows.push_back({s.mnemonic,
                    s.op,
                    f::short_,
                    {base, 0},
                    {short_mask, 0},
                    sp,
                    10,
                    {kind, short_sat, bits_16(), short_to(h), short_first(h), short_second(h), carry_in(false)}});
    rows.push_back({s.mnemonic,
                    s.op,
                    f::short_,
                    {base | 0x8000, 0},
                    {short_mask, 0},
                    sp,
                    10,
                    {kind, short_sat, bits_32(), short_to(w), short_first(w), short_second(w), carry_in(false)}});
    rows.push_back({s.mnemonic,
                    s.op,
                    f::long_,
                    {base, 0},
                    {long_mask, 0xe4000000},
                    sp,
                    10,
                    {kind, bits_16(), sat, condition_to(), to(h), first(h), third(1, h), carry_in()}});
    rows.push_back({s.mnemonic,
                    s.op,
                    f::long_,
                    {base, 0x04000000},
                    {long_mask, 0xe4000000},
                    sp,
                    10,
                    {kind, bits_32(), sat, condition_to(), to(w), first(w), third(1, w), carry_in()}});
    rows.push_back({s.mnemonic,
                    s.op,
                    f::immediate,
                    {base, 0},
                    {short_mask, 0},
                    sp,
                    10,
                    {kind, short_sat, bits_16(), short_to(h), short_first(h), constant, carry_in(false)}});
    rows.push_back({s.mnemonic,
                    s.op,
                    f::immediate,
                    {base | 0x8000, 0},
                    {short_mask, 0},
                    sp,
                    10,
                    {kind, short_sat, bits_32(), short_to(w), short_first(w), constant, carry_in(false)}});
  }
}

// Conditions of an integer set: 1 less, 2 equal, 4 greater.
std::vector<choice_entry> integer_conditions() {
  return {{0, 0, "never"}, {1, 1, "l"},  {2, 2, "e"},  {3, 3, "le"},
          {4, 4, "g"},     {5, 5, "lg"}, {6, 6, "ge"}, {7, 7, "always"}};
}

void append_compare_rows(std::vector<row>& rows) {
  const element condition = choice<&instruction::compare>({46, 3}, integer_conditions());
  const element sign_16 = flag<&instruction::is_signed>(59, "s16", "u16");
  const element sign_32 = flag<&instruction::is_signed>(59, "s32", "u32");
  const auto add = [&rows](const char* name, opcode op, std::uint32_t second_word, element_list elements) {
    rows.push_back(
        {name, op, f::long_, {0x30000000, second_word}, {0xf0000000, 0xe4000000}, sp, 10, std::move(elements)});
  };
  add("set", opcode::set, 0x60000000,
      {bits_16(""), condition_to(), to(h), condition, sign_16, first(h), second(h)});
  add("set", opcode::set, 0x64000000,
      {bits_32(""), condition_to(), to(w), condition, sign_32, first(w), second(w)});
  add("max", opcode::max, 0x80000000, {bits_16(""), sign_16, condition_to(), to(h), first(h), second(h)});
  add("max", opcode::max, 0x84000000, {bits_32(""), sign_32, condition_to(), to(w), first(w), second(w)});
  add("min", opcode::min, 0xa0000000, {bits_16(""), sign_16, condition_to(), to(h), first(h), second(h)});
  add("min", opcode::min, 0xa4000000, {bits_32(""), sign_32, condition_to(), to(w), first(w), second(w)});
}

// The count is a register or c[] operand, or an immediate (second word bit 20). The immediate has seven bits even
// for shifts of halves: envytools' hardware tests show that counts above 15 are not truncated.
void append_shift_rows(std::vector<row>& rows) {
  constexpr std::uint32_t by_immediate = 0x00100000;
  const auto add = [&rows](const char* name, opcode op, std::uint32_t second_word, const element_list& head,
                           width size) {
    for (const bool immediate_count : {false, true}) {
      element_list elements = head;
      elements.push_back(immediate_count ? immediate(1, {16, 7}) : second(size));
      rows.push_back({name,
                      op,
                      f::long_,
                      {0x30000000, second_word | (immediate_count ? by_immediate : 0)},
                      {0xf0000000, 0xe4000000 | by_immediate},
                      sp,
                      10,
                      std::move(elements)});
    }
  };
  // A right shift is arithmetic if it is signed.
  element sign_16 = flag<&instruction::arithmetic_shift>(59, "s16", "u16");
  element sign_32 = flag<&instruction::arithmetic_shift>(59, "s32", "u32");
  for (element* e : {&sign_16, &sign_32}) {
    e->set = [](instruction& i, std::uint32_t v) { i.arithmetic_shift = i.is_signed = v != 0; };
  }
  add("shl", opcode::shl, 0xc0000000, {bits_16(), condition_to(), to(h), first(h)}, h);
  add("shl", opcode::shl, 0xc4000000, {bits_32(), condition_to(), to(w), first(w)}, w);
  add("shr", opcode::shr, 0xe0000000, {bits_16(""), sign_16, condition_to(), to(h), first(h)}, h);
  add("shr", opcode::shr, 0xe4000000, {bits_32(""), sign_32, condition_to(), to(w), first(w)}, w);
}

void append_logic_rows(std::vector<row>& rows) {
  struct operation {
    const char* name;
    logic_op op;
    std::uint32_t long_bits;   // second word
    std::uint32_t short_bits;  // first word of the immediate form
  };
  constexpr std::array<operation, 4> operations = {{{"and", logic_op::and_, 0, 0},
                                                    {"or", logic_op::or_, 0x4000, 0x100},
                                                    {"xor", logic_op::xor_, 0x8000, 0x8000},
                                                    {"mov2", logic_op::mov2, 0xc000, 0x8100}}};
  const element not_1 = source_flag<0, &operand::invert>(48, "not");
  const element not_2 = source_flag<1, &operand::invert>(49, "not");
  const element short_not = source_flag<0, &operand::invert>(22, "not");
  for (const operation& o : operations) {
    const element kind = fixed<&instruction::logic>(o.op);
    rows.push_back({o.name,
                    opcode::logic,
                    f::long_,
                    {0xd0000000, o.long_bits},
                    {0xf0000000, 0xe400c000},
                    sp,
                    10,
                    {kind, bits_16(), condition_to(), to(h), not_1, first(h), not_2, second(h)}});
    rows.push_back({o.name,
                    opcode::logic,
                    f::long_,
                    {0xd0000000, o.long_bits | 0x04000000},
                    {0xf0000000, 0xe400c000},
                    sp,
                    10,
                    {kind, bits_32(), condition_to(), to(w), not_1, first(w), not_2, second(w)}});
    rows.push_back({o.name,
                    opcode::logic,
                    f::immediate,
                    {0xd0000000 | o.short_bits, 0},
                    {0xf0008100, 0},
                    sp,
                    10,
                    {kind, bits_32(), short_to(w), short_not, short_first(w), immediate(1, field_immediate_32)}});
  }
}

}  // namespace

void append_integer_rows(std::vector<row>& rows) {
  append_sum_rows(rows);
  append_compare_rows(rows);
  append_shift_rows(rows);
  append_logic_rows(rows);
}

}  // namespace gt200::isa::tesla
