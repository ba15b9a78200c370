#include "toolchain/isa/fermi/element.h"

#include <algorithm>
#include <array>

namespace gt200::isa::fermi {
namespace {

void transfer_choice_bits(const element& e, instruction& i, bit_stream& s) {
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

void transfer_choice_text(const element& e, instruction& i, text_stream& s, std::string&) {
  const choice_entry* silent = nullptr;
  for (const choice_entry& entry : e.choices) {
    const bool is_silent = entry.word[0] == '\0';
    if (s.printing()) {
      if (entry.value != e.get(i)) continue;
      if (!is_silent) s.emit(entry.word);
      return;
    }
    if (is_silent) {
      silent = &entry;
    } else if (s.peek() == entry.word) {
      s.advance();
      return e.set(i, entry.value);
    }
  }
  if (silent != nullptr) return e.set(i, silent->value);
  s.fail("modifier expected" + (s.printing() || s.at_end() ? "" : ", not '" + std::string(s.peek()) + "'"));
}

// -- predicates --

void transfer_predicate_text(std::uint8_t& index, text_stream& s) {
  if (s.printing()) return s.emit("$p" + std::to_string(index));
  const std::string_view token = s.peek();
  if (token.size() != 3 || token.substr(0, 2) != "$p" || token[2] < '0' || token[2] > '7')
    return s.fail("$p0 .. $p7 expected");
  index = static_cast<std::uint8_t>(token[2] - '0');
  s.advance();
}

void transfer_negatable_text(predicate_operand& p, text_stream& s) {
  if (s.printing()) {
    if (p.negate) s.emit("not");
  } else {
    p.negate = s.peek() == "not";
    if (p.negate) s.advance();
  }
  transfer_predicate_text(p.index, s);
}

constexpr bit_field guard_field = {10, 3};
constexpr unsigned guard_negation = 13;

void transfer_guard_bits(const element&, instruction& i, bit_stream& s) {
  s.transfer(i.guard.index, guard_field, "guard");
  s.transfer(i.guard.negate, guard_negation, "negation of the guard");
}

void transfer_guard_text(const element&, instruction& i, text_stream& s, std::string&) {
  if (s.printing()) {
    if (i.guard.index == true_predicate) return i.guard.negate ? s.emit("never") : void();
    if (i.guard.negate) s.emit("(");
    transfer_negatable_text(i.guard, s);
    if (i.guard.negate) s.emit(")");
    return;
  }
  if (s.peek() == "never" && s.peek(1) != "$c") {
    i.guard = {true_predicate, true};
    return s.advance();
  }
  if (s.peek() == "(" && s.peek(1) == "not") {
    s.advance();
    transfer_negatable_text(i.guard, s);
    return s.literal(")");
  }
  if (s.peek().substr(0, 2) == "$p") transfer_negatable_text(i.guard, s);
}

constexpr bit_field combine_field = {53, 2};
constexpr bit_field combined_predicate = {49, 3};
constexpr unsigned combined_negation = 52;
constexpr std::array<const char*, 3> combine_names = {"and", "or", "xor"};

void transfer_combined_bits(const element&, instruction& i, bit_stream& s) {
  auto code = static_cast<std::uint32_t>(i.combine);
  s.transfer(code, combine_field, "combination");
  if (code >= combine_names.size()) return s.fail("a combination of predicates holds the undefined value 3");
  i.combine = static_cast<logic_op>(code);
  s.transfer(i.predicate_source[2].index, combined_predicate, "predicate");
  s.transfer(i.predicate_source[2].negate, combined_negation, "negation of the predicate");
}

void transfer_combined_text(const element&, instruction& i, text_stream& s, std::string&) {
  predicate_operand& p = i.predicate_source[2];
  if (s.printing()) {
    if (i.combine == logic_op::and_ && p.index == true_predicate && !p.negate) return;
    s.emit(combine_names[static_cast<std::size_t>(i.combine)]);
    return transfer_negatable_text(p, s);
  }
  const auto* name = std::find(combine_names.begin(), combine_names.end(), s.peek());
  if (name == combine_names.end()) return;
  i.combine = static_cast<logic_op>(name - combine_names.begin());
  s.advance();
  transfer_negatable_text(p, s);
}

// -- tests of $c --

// 15 is always true.
constexpr std::array<const char*, 24> condition_names = {"never", "l",  "e",  "le",  "g",  "lg",  "ge",  "lge",
                                                         "u",     "lu", "eu", "leu", "gu", "lgu", "geu", "true",
                                                         "no",    "nc", "ns", "na",  "a",  "s",   "c",   "o"};
constexpr std::uint8_t always = 15;

void transfer_test_bits(const element& e, std::uint8_t& test, bit_stream& s) {
  s.transfer(test, e.field, "test of $c");
  if (test >= condition_names.size()) s.fail("test " + std::to_string(test) + " of $c is undefined");
}

void transfer_test_text(std::uint8_t& test, text_stream& s) {
  if (s.printing()) {
    s.emit(condition_names[test]);
  } else {
    const auto* name = std::find_if(condition_names.begin(), condition_names.end(),
                                    [&](const char* known) { return s.peek() == known; });
    if (name == condition_names.end()) return s.fail("test of $c expected");
    test = static_cast<std::uint8_t>(name - condition_names.begin());
    s.advance();
  }
  s.literal("$c");
}

}  // namespace

element word(const char* text) {
  element e;
  e.word = text;
  e.text = [](const element& self, instruction&, text_stream& s, std::string&) { s.literal(self.word); };
  return e;
}

element long_form() {
  element e = word("long");
  e.bits = [](const element&, instruction& i, bit_stream&) { i.long_immediate = true; };
  e.text = [](const element& self, instruction&, text_stream& s, std::string&) {
    if (s.printing() || s.peek() == self.word) s.literal(self.word);
  };
  return e;
}

element ignored(bit_field bits) {
  element e;
  e.field = bits;
  e.bits = [](const element& self, instruction&, bit_stream& s) { s.ignore(self.field); };
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

element sign(std::uint8_t bit) { return flag<&instruction::is_signed>(bit, "s32", "u32"); }

element addend(bit_field bits) {
  return choice<&instruction::addend>(bits, {{0, 0, "add"}, {1, 1, "sub"}, {2, 2, "subr"}, {3, 3, "addpo"}});
}

element logic(bit_field bits) {
  return choice<&instruction::logic>(bits, {{0, 0, "and"}, {1, 1, "or"}, {2, 2, "xor"}, {3, 3, "mov2"}});
}

element comparison(bit_field bits, bool is_float) {
  std::vector<choice_entry> entries = {{0, 0, "false"}, {1, 1, "lt"}, {2, 2, "eq"}, {3, 3, "le"},
                                       {4, 4, "gt"},    {5, 5, "ne"}, {6, 6, "ge"}, {7, 7, "num"}};
  if (is_float) {
    const std::vector<choice_entry> unordered = {{8, 8, "nan"},   {9, 9, "ltu"},   {10, 10, "equ"},
                                                 {11, 11, "leu"}, {12, 12, "gtu"}, {13, 13, "neu"},
                                                 {14, 14, "geu"}, {15, 15, "true"}};
    entries.insert(entries.end(), unordered.begin(), unordered.end());
  }
  return choice<&instruction::compare>(bits, std::move(entries));
}

element float_rounding(std::uint8_t low) {
  return choice<&instruction::round>({low, 2}, {{0, 0, "rn"}, {1, 1, "rm"}, {2, 2, "rp"}, {3, 3, "rz"}});
}

element integral_rounding(std::uint8_t low) {
  return choice<&instruction::round>({low, 2}, {{0, 0, "rni"}, {1, 1, "rmi"}, {2, 2, "rpi"}, {3, 3, "rzi"}});
}

element lanes_of_quad() {
  static constexpr std::array<const char*, 16> names = {"lnone", "l0",   "l1",   "l01", "l2",  "l02",
                                                        "l12",   "l012", "l3",   "l03", "l13", "l013",
                                                        "l23",   "l023", "l123", ""};
  std::vector<choice_entry> entries;
  for (std::uint8_t lanes = 0; lanes < names.size(); ++lanes) entries.push_back({lanes, lanes, names[lanes]});
  return choice<&instruction::lane_write_mask>({5, 4}, std::move(entries));
}

element min_or_max() {
  element e;
  e.bits = [](const element&, instruction& i, bit_stream& s) {
    s.transfer(i.predicate_source[2].index, combined_predicate, "predicate");
    s.transfer(i.predicate_source[2].negate, combined_negation, "negation of the predicate");
  };
  e.text = [](const element&, instruction& i, text_stream& s, std::string&) {
    predicate_operand& p = i.predicate_source[2];
    if (s.printing()) {
      if (p.index == true_predicate) return s.emit(p.negate ? "max" : "min");
      s.emit("minmax");
      return transfer_negatable_text(p, s);
    }
    if (s.peek() == "min" || s.peek() == "max") {
      p = {true_predicate, s.peek() == "max"};
      return s.advance();
    }
    s.literal("minmax");
    if (s.ok()) transfer_negatable_text(p, s);
  };
  return e;
}

element condition_code_test(bit_field bits) {
  element e;
  e.field = bits;
  e.bits = [](const element& self, instruction& i, bit_stream& s) { transfer_test_bits(self, i.condition, s); };
  e.text = [](const element&, instruction& i, text_stream& s, std::string&) {
    if (s.printing() ? i.condition != always : s.peek(1) == "$c") transfer_test_text(i.condition, s);
  };
  return e;
}

element condition_code_compare(bit_field bits) {
  element e;
  e.field = bits;
  e.bits = [](const element& self, instruction& i, bit_stream& s) {
    transfer_test_bits(self, i.compare, s);
    i.reads_condition_code = true;
  };
  e.text = [](const element&, instruction& i, text_stream& s, std::string&) {
    i.reads_condition_code = true;
    transfer_test_text(i.compare, s);
  };
  return e;
}

element guard() {
  element e;
  e.bits = transfer_guard_bits;
  e.text = transfer_guard_text;
  return e;
}

element predicate_to(std::uint8_t number, bit_field bits) {
  element e;
  e.slot = number;
  e.field = bits;
  e.bits = [](const element& self, instruction& i, bit_stream& s) {
    s.transfer(i.predicate_destination[self.slot], self.field, "predicate");
  };
  e.text = [](const element& self, instruction& i, text_stream& s, std::string&) {
    transfer_predicate_text(i.predicate_destination[self.slot], s);
  };
  return e;
}

element predicate_from(std::uint8_t number, std::uint8_t low, std::uint8_t negation) {
  element e;
  e.slot = number;
  e.field = {low, 3, negation, 1};
  e.bits = [](const element& self, instruction& i, bit_stream& s) {
    predicate_operand& p = i.predicate_source[self.slot];
    std::uint32_t code = p.index | std::uint32_t{p.negate} << 3;
    s.transfer(code, self.field, "predicate");
    p = {static_cast<std::uint8_t>(code & 7), code >> 3 != 0};
  };
  e.text = [](const element& self, instruction& i, text_stream& s, std::string&) {
    transfer_negatable_text(i.predicate_source[self.slot], s);
  };
  return e;
}

element combined() {
  element e;
  e.bits = transfer_combined_bits;
  e.text = transfer_combined_text;
  return e;
}

element carry_to(std::uint8_t bit) { return flag<&instruction::writes_condition_code>(bit, "$c"); }

element carry_from(std::uint8_t bit) { return flag<&instruction::carry_in>(bit, "$c"); }

}  // namespace gt200::isa::fermi
