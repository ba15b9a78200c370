#include "toolchain/isa/volta/element.h"

#include <algorithm>
#include <array>

#include "toolchain/isa/common/text_stream.h"
#include "toolchain/isa/volta/special_register.h"

namespace gt200::isa::volta {
namespace {

void transfer_choice_bits(const element& e, instruction& i, wide_bit_stream& s) {
  if (s.reading()) {
    std::uint32_t code = 0;
    s.transfer(code, e.field, "modifier");
    for (const choice_entry& entry : e.choices)
      if (e.field.width == 0 || entry.code == code) return e.set(i, entry.value);
    return s.fail("a modifier field holds the undefined value " + std::to_string(code));
  }
  for (const choice_entry& entry : e.choices) {
    if (entry.value != e.get(i)) continue;
    std::uint32_t code = entry.code;
    return s.transfer(code, e.field, "modifier");
  }
  s.fail("this modifier is not available here");
}

void transfer_choice_text(const element& e, instruction& i, line_text& s, std::string&) {
  const choice_entry* silent = nullptr;
  for (const choice_entry& entry : e.choices) {
    const bool is_silent = entry.word[0] == '\0';
    if (s.printing()) {
      if (entry.value != e.get(i)) continue;
      if (!is_silent) s.add_modifier(entry.word);
      return;
    }
    if (is_silent)
      silent = &entry;
    else if (s.take_modifier(entry.word))
      return e.set(i, entry.value);
  }
  if (silent != nullptr) return e.set(i, silent->value);
  s.fail("a modifier such as ." + std::string(e.choices.front().word) + " is missing");
}

// "P3", "!PT"
bool parse_predicate(std::string_view text, std::uint8_t& index, bool& negate) {
  negate = !text.empty() && text[0] == '!';
  if (negate) text.remove_prefix(1);
  if (text.size() != 2 || text[0] != 'P') return false;
  if (text[1] == 'T')
    index = true_predicate;
  else if (text[1] >= '0' && text[1] < static_cast<char>('0' + predicate_count))
    index = static_cast<std::uint8_t>(text[1] - '0');
  else
    return false;
  return true;
}

void transfer_number_text(std::uint32_t& value, unsigned width, line_text& s, const char* what) {
  if (s.printing()) return s.add_operand(hex_number(value));
  const auto number = parse_number(s.peek_operand());
  const std::int64_t last = (std::int64_t{1} << width) - 1;
  if (!number || *number < 0 || *number > last)
    return s.fail(std::string(what) + " of 0 to " + hex_number(last) + " expected");
  value = static_cast<std::uint32_t>(*number);
  s.next_operand();
}

}  // namespace

std::string predicate_text(std::uint8_t index, bool negate) {
  return (negate ? "!P" : "P") + (index == true_predicate ? std::string("T") : std::to_string(index));
}

element word(const char* text) {
  element e;
  e.word = text;
  e.text = [](const element& self, instruction&, line_text& s, std::string&) {
    if (s.printing()) return s.add_modifier(self.word);
    if (!s.take_modifier(self.word)) s.fail("." + std::string(self.word) + " is missing");
  };
  return e;
}

element alias(const char* text) {
  element e;
  e.word = text;
  e.text = [](const element& self, instruction&, line_text& s, std::string&) {
    if (!s.printing()) s.take_modifier(self.word);
  };
  return e;
}

element ignored(bit_field bits, std::uint32_t written) {
  element e;
  e.field = bits;
  e.words = static_cast<std::uint8_t>(written);
  e.bits = [](const element& self, instruction&, wide_bit_stream& s) {
    std::uint32_t value = self.words;
    s.transfer(value, self.field, "unused field");
  };
  return e;
}

element choice_element(bit_field bits, std::vector<choice_entry> entries) {
  element e;
  e.field = bits;
  e.choices = std::move(entries);
  e.bits = transfer_choice_bits;
  e.text = transfer_choice_text;
  return e;
}

element float_comparison() {
  return choice<&instruction::compare>({76, 4}, {{0, 0, "F"},
                                                 {1, 1, "LT"},
                                                 {2, 2, "EQ"},
                                                 {3, 3, "LE"},
                                                 {4, 4, "GT"},
                                                 {5, 5, "NE"},
                                                 {6, 6, "GE"},
                                                 {7, 7, "NUM"},
                                                 {8, 8, "NAN"},
                                                 {9, 9, "LTU"},
                                                 {10, 10, "EQU"},
                                                 {11, 11, "LEU"},
                                                 {12, 12, "GTU"},
                                                 {13, 13, "NEU"},
                                                 {14, 14, "GEU"},
                                                 {15, 15, "T"}});
}

element integer_comparison() {
  return choice<&instruction::compare>({76, 3}, {{0, 0, "F"},
                                                 {1, 1, "LT"},
                                                 {2, 2, "EQ"},
                                                 {3, 3, "LE"},
                                                 {4, 4, "GT"},
                                                 {5, 5, "NE"},
                                                 {6, 6, "GE"},
                                                 {7, 7, "T"}});
}

element combination() {
  return choice<&instruction::combine>({74, 2}, {{0, 0, "AND"}, {1, 1, "OR"}, {2, 2, "XOR"}});
}

element float_rounding() {
  return choice<&instruction::round>({78, 2}, {{0, 0, ""}, {1, 1, "RM"}, {2, 2, "RP"}, {3, 3, "RZ"}});
}

element integral_rounding() {
  return choice<&instruction::round>({78, 2}, {{0, 0, ""}, {1, 1, "FLOOR"}, {2, 2, "CEIL"}, {3, 3, "TRUNC"}});
}

element ftz() { return flag<&instruction::ftz>(80, "FTZ"); }

element saturate() { return flag<&instruction::saturate>(77, "SAT"); }

// -- predicates --

element predicate_to(std::uint8_t number, std::uint8_t low, std::uint8_t absent) {
  element e;
  e.slot = number;
  e.field = {low, 3};
  e.absent = absent;
  e.bits = [](const element& self, instruction& i, wide_bit_stream& s) {
    s.transfer(i.predicate_destination[self.slot], self.field, "predicate");
  };
  e.text = [](const element& self, instruction& i, line_text& s, std::string&) {
    std::uint8_t& index = i.predicate_destination[self.slot];
    if (s.printing()) {
      const bool later_is_written = self.slot == 0 && self.optional && i.predicate_destination[1] != true_predicate;
      if (index != self.absent || later_is_written) s.add_operand(predicate_text(index, false));
      return;
    }
    bool negate = false;
    if (parse_predicate(s.peek_operand(), index, negate) && !negate) return s.next_operand();
    index = true_predicate;
    if (self.absent == 255) s.fail("a predicate P0 .. P6 or PT is expected");
  };
  return e;
}

element predicate_from(std::uint8_t number, std::uint8_t low, std::uint8_t absent) {
  element e;
  e.slot = number;
  e.field = {low, 4};
  e.absent = absent;
  e.bits = [](const element& self, instruction& i, wide_bit_stream& s) {
    predicate_operand& p = i.predicate_source[self.slot];
    std::uint32_t code = p.index | std::uint32_t{p.negate} << 3;
    s.transfer(code, self.field, "predicate");
    p = {static_cast<std::uint8_t>(code & 7), code >> 3 != 0};
    i.predicates_used = static_cast<std::uint8_t>(i.predicates_used | 1u << self.slot);
  };
  e.text = [](const element& self, instruction& i, line_text& s, std::string&) {
    predicate_operand& p = i.predicate_source[self.slot];
    if (s.printing()) {
      if ((p.index | p.negate << 3) != self.absent) s.add_operand(predicate_text(p.index, p.negate));
      return;
    }
    if (parse_predicate(s.peek_operand(), p.index, p.negate)) return s.next_operand();
    p = {true_predicate, self.absent == code_false};
    if (self.absent == 255) s.fail("a predicate such as P0 or !PT is expected");
  };
  return e;
}

// -- numbers and names --

element number(bit_field bits, std::uint32_t (*get)(const instruction&), void (*set)(instruction&, std::uint32_t)) {
  element e;
  e.field = bits;
  e.get = get;
  e.set = set;
  e.bits = [](const element& self, instruction& i, wide_bit_stream& s) {
    std::uint32_t value = self.get(i);
    s.transfer(value, self.field, "number");
    self.set(i, value);
  };
  e.text = [](const element& self, instruction& i, line_text& s, std::string&) {
    std::uint32_t value = self.get(i);
    transfer_number_text(value, self.field.total_width(), s, "a number");
    self.set(i, value);
  };
  return e;
}

element immediate(std::uint8_t slot, bit_field bits) {
  element e;
  e.slot = slot;
  e.field = bits;
  e.bits = [](const element& self, instruction& i, wide_bit_stream& s) {
    operand& o = self.of(i);
    if (!s.reading() && o.kind != operand_kind::immediate) return s.fail("a number is needed here");
    o.kind = operand_kind::immediate;
    auto raw = static_cast<std::uint32_t>(o.value);
    s.transfer(raw, self.field, "number");
    o.value = static_cast<std::int32_t>(raw);
  };
  e.text = [](const element& self, instruction& i, line_text& s, std::string&) {
    operand& o = self.of(i);
    auto raw = static_cast<std::uint32_t>(o.value);
    transfer_number_text(raw, self.field.total_width(), s, "a number");
    o.kind = operand_kind::immediate;
    o.value = static_cast<std::int32_t>(raw);
  };
  return e;
}

element special_register() {
  element e;
  e.field = {72, 8};
  e.bits = [](const element& self, instruction& i, wide_bit_stream& s) {
    s.transfer(i.special, self.field, "special register");
  };
  e.text = [](const element&, instruction& i, line_text& s, std::string&) {
    if (s.printing()) return s.add_operand(special_register_text(i.special));
    const auto parsed = parse_special_register(s.peek_operand());
    if (!parsed) return s.fail("a special register such as SR_TID.X is expected");
    i.special = *parsed;
    s.next_operand();
  };
  return e;
}

element all_predicates() {
  element e;
  e.text = [](const element&, instruction&, line_text& s, std::string&) {
    if (s.printing()) return s.add_operand("PR");
    if (s.peek_operand() != "PR") return s.fail("PR is expected");
    s.next_operand();
  };
  return e;
}

element convergence_register(std::uint8_t low) {
  element e;
  e.field = {low, 4};
  e.bits = [](const element& self, instruction& i, wide_bit_stream& s) {
    s.transfer(i.convergence_register, self.field, "convergence barrier");
  };
  e.text = [](const element&, instruction& i, line_text& s, std::string&) {
    if (s.printing()) return s.add_operand("B" + std::to_string(i.convergence_register));
    const std::string_view text = s.peek_operand();
    const auto parsed = parse_number(text.substr(std::min<std::size_t>(1, text.size())));
    if (text.empty() || text[0] != 'B' || !parsed || *parsed < 0 || *parsed >= convergence_barriers)
      return s.fail("a convergence barrier B0 to B15 is expected");
    i.convergence_register = static_cast<std::uint8_t>(*parsed);
    s.next_operand();
  };
  return e;
}

element dependency_barrier() {
  element e;
  e.field = {44, 3};
  e.bits = [](const element& self, instruction& i, wide_bit_stream& s) {
    s.transfer(i.dependency_barrier, self.field, "dependency barrier");
    if (i.dependency_barrier > 5) s.fail("there is no dependency barrier " + std::to_string(i.dependency_barrier));
  };
  e.text = [](const element&, instruction& i, line_text& s, std::string&) {
    if (s.printing()) return s.add_operand("SB" + std::to_string(i.dependency_barrier));
    const std::string_view text = s.peek_operand();
    if (text.size() != 3 || text.substr(0, 2) != "SB" || text[2] < '0' || text[2] > '5')
      return s.fail("a dependency barrier SB0 to SB5 is expected");
    i.dependency_barrier = static_cast<std::uint8_t>(text[2] - '0');
    s.next_operand();
  };
  return e;
}

element dependency_list() {
  element e;
  e.field = {32, 6};
  e.bits = [](const element& self, instruction& i, wide_bit_stream& s) {
    s.transfer(i.dependency_list, self.field, "list of dependency barriers");
  };
  e.text = [](const element&, instruction& i, line_text& s, std::string&) {
    if (s.printing()) {
      std::string text;
      for (unsigned b = 6; b-- > 0;)
        if ((i.dependency_list >> b & 1) != 0) text += (text.empty() ? "{" : ",") + std::to_string(b);
      if (!text.empty()) s.add_operand(text + "}");
      return;
    }
    const std::string_view text = s.peek_operand();
    if (text.empty()) return;
    const bool is_list = text.size() >= 3 && text.size() % 2 == 1 && text.front() == '{' && text.back() == '}';
    unsigned list = 0;
    for (std::size_t k = 1; is_list && k < text.size(); k += 2) {
      const bool separated = k + 1 == text.size() - 0 || text[k + 1] == ',' || text[k + 1] == '}';
      if (text[k] < '0' || text[k] > '5' || !separated) return s.fail("a list such as {3,1} is expected");
      list |= 1u << (text[k] - '0');
    }
    if (!is_list) return s.fail("a list such as {3,1} is expected");
    i.dependency_list = static_cast<std::uint8_t>(list);
    s.next_operand();
  };
  return e;
}

// -- targets --

element relative_target(bit_field words, bit_field sign) {
  element e;
  e.field = words;
  e.field.high_low = sign.low;
  e.field.high_width = sign.width;
  e.bits = [](const element& self, instruction& i, wide_bit_stream& s) {
    const bit_field low = {self.field.low, self.field.width};
    if (!s.reading() && i.target % 4 != 0) return s.fail("the distance to the target is no multiple of 4");
    std::int32_t distance = i.target / 4;
    s.transfer_signed(distance, low, "distance to the target");
    i.target = distance * 4;
    if (self.field.high_width == 0) return;
    const std::uint32_t extension = (1u << self.field.high_width) - 1;
    std::uint32_t high = distance < 0 ? extension : 0;
    s.transfer(high, bit_field{self.field.high_low, self.field.high_width}, "distance to the target");
    if (high != (distance < 0 ? extension : 0u)) s.fail("the target is too far away");
  };
  e.text = [](const element&, instruction&, line_text& s, std::string& label) {
    if (s.printing()) return s.add_operand(label);
    if (s.peek_operand().empty()) return s.fail("a target is expected");
    label = s.peek_operand();
    s.next_operand();
  };
  return e;
}

element absolute_target() {
  element e = relative_target({32, 32});
  e.bits = [](const element& self, instruction& i, wide_bit_stream& s) {
    auto target = static_cast<std::uint32_t>(i.target);
    s.transfer(target, {self.field.low, self.field.width}, "target");
    i.target = static_cast<std::int32_t>(target);
  };
  return e;
}

}  // namespace gt200::isa::volta
