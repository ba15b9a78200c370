// The elements that are operands: registers, immediates, constants, memory, targets.
#include <array>
#include <cctype>
#include <optional>

#include "toolchain/isa/fermi/element.h"
#include "toolchain/isa/fermi/special_register.h"

namespace gt200::isa::fermi {
namespace {

constexpr bit_field source_1_field = {20, 6};
constexpr bit_field source_2_field = {26, 6};
constexpr bit_field source_3_field = {49, 6};
constexpr bit_field select_field = {46, 2};
constexpr bit_field immediate_field = {26, 20};
constexpr bit_field constant_offset = {28, 14};
constexpr bit_field constant_bank = {42, 4, 26, 1};
constexpr bit_field indexed_constant_offset = {26, 16};
constexpr bit_field indexed_constant_bank = {42, 5};
enum select : std::uint32_t { select_register, select_constant, select_third_constant, select_immediate };

// The number in "$r12", "c3" and the text behind it.
struct numbered {
  std::uint32_t number = 0;
  std::string_view rest;
};
std::optional<numbered> split_numbered(std::string_view token, std::string_view prefix) {
  if (token.substr(0, prefix.size()) != prefix) return std::nullopt;
  token.remove_prefix(prefix.size());
  std::size_t digits = 0;
  std::uint32_t number = 0;
  while (digits < token.size() && digits < 3 && std::isdigit(static_cast<unsigned char>(token[digits])) != 0)
    number = number * 10 + static_cast<std::uint32_t>(token[digits++] - '0');
  if (digits == 0) return std::nullopt;
  return numbered{number, token.substr(digits)};
}

std::string_view suffix_of(unsigned words) { return words == 4 ? "q" : words == 2 ? "d" : ""; }

bool parse_register(std::string_view token, unsigned words, std::uint8_t& index) {
  const auto r = split_numbered(token, "$r");
  if (!r || r->number > zero_register || r->rest != suffix_of(words)) return false;
  index = static_cast<std::uint8_t>(r->number);
  return true;
}

void transfer_register_bits(operand& o, bit_field field, unsigned words, bit_stream& s) {
  if (!s.reading() && o.kind != operand_kind::gpr) return s.fail("a register is needed here");
  o.kind = operand_kind::gpr;
  s.transfer(o.index, field, "register");
  o.words = static_cast<std::uint8_t>(words);
}

void transfer_immediate_bits(operand& o, const element& e, bit_stream& s) {
  constexpr unsigned high_shift = 12;
  o.kind = operand_kind::immediate;
  o.form = e.form;
  o.words = e.words;
  if (e.form == immediate_form::integer) return s.transfer_signed(o.value, immediate_field, "immediate");
  if (!s.reading() && (static_cast<std::uint32_t>(o.value) & ((1u << high_shift) - 1)) != 0)
    return s.fail("an immediate has its upper 20 bits only");
  auto upper = static_cast<std::uint32_t>(o.value) >> high_shift;
  s.transfer(upper, immediate_field, "immediate");
  o.value = static_cast<std::int32_t>(upper << high_shift);
}

void transfer_constant_bits(operand& o, const element& e, bit_stream& s) {
  if (!s.reading() && o.index != zero_register) return s.fail("only ld has an indexed constant");
  o.kind = operand_kind::constant;
  o.words = e.words;
  s.transfer(o.bank, constant_bank, "constant bank");
  s.transfer_offset(o.value, constant_offset, 2, false, "offset of a constant");
}

std::uint32_t selection(const element& e, const instruction& i) {
  if (e.three_sources && i.source[2].kind == operand_kind::constant) return select_third_constant;
  switch (i.source[1].kind) {
    case operand_kind::constant: return select_constant;
    case operand_kind::immediate: return select_immediate;
    default: return select_register;
  }
}

void transfer_second_bits(const element& e, instruction& i, bit_stream& s) {
  std::uint32_t code = s.reading() ? 0 : selection(e, i);
  s.transfer(code, select_field, "form of source 1");
  operand& o = i.source[1];
  switch (code) {
    case select_constant: return transfer_constant_bits(o, e, s);
    case select_immediate: return transfer_immediate_bits(o, e, s);
    case select_third_constant:
      if (!e.three_sources) return s.fail("form 2 of the operands is undefined here");
      return transfer_register_bits(o, source_3_field, e.words, s);
    default: return transfer_register_bits(o, source_2_field, e.words, s);
  }
}

void transfer_third_bits(const element& e, instruction& i, bit_stream& s) {
  std::uint32_t code = 0;
  if (s.reading())
    s.transfer(code, select_field, "form of source 1");
  else if (i.source[2].kind == operand_kind::constant)
    code = select_third_constant;
  operand& o = i.source[2];
  if (code == select_third_constant) return transfer_constant_bits(o, e, s);
  transfer_register_bits(o, source_3_field, e.words, s);
}

// -- text --

std::string constant_text(const operand& o) {
  std::string inside;
  if (o.index != zero_register) inside = register_text(o.index, 1);
  if (inside.empty())
    inside = hex_number(o.value);
  else if (o.value != 0)
    inside += (o.value > 0 ? "+" : "") + hex_number(o.value);
  return "c" + std::to_string(o.bank) + "[" + inside + "]";
}

// "$r1+0x10", "$r2d-0x4", "0x10".
bool parse_address(std::string_view inside, operand& o, bool may_be_wide) {
  o.index = zero_register;
  o.words = 1;
  o.value = 0;
  if (const auto r = split_numbered(inside, "$r")) {
    if (r->number > zero_register) return false;
    o.index = static_cast<std::uint8_t>(r->number);
    inside = r->rest;
    if (may_be_wide && !inside.empty() && inside[0] == 'd') {
      o.words = 2;
      inside.remove_prefix(1);
    }
    if (inside.empty()) return true;
    if (inside[0] == '+')
      inside.remove_prefix(1);
    else if (inside[0] != '-')
      return false;
  }
  const auto value = parse_number(inside);
  if (!value) return false;
  o.value = static_cast<std::int32_t>(*value);
  return true;
}

// The inside of "name[...]".
std::optional<std::string_view> inside_of(std::string_view token, std::string_view name) {
  if (token.size() < name.size() + 3 || token.substr(0, name.size()) != name || token[name.size()] != '[' ||
      token.back() != ']')
    return std::nullopt;
  return token.substr(name.size() + 1, token.size() - name.size() - 2);
}

bool parse_constant(std::string_view token, operand& o) {
  const auto c = split_numbered(token, "c");
  if (!c || c->number > 31) return false;
  const auto inside = inside_of(c->rest, "");
  if (!inside || !parse_address(*inside, o, false)) return false;
  o.kind = operand_kind::constant;
  o.bank = static_cast<std::uint8_t>(c->number);
  return true;
}

void transfer_immediate_text(operand& o, const element& e, text_stream& s) {
  const bool wide = e.words == 2 && e.form == immediate_form::high;
  if (s.printing()) {
    if (e.form == immediate_form::integer) return s.emit(hex_number(o.value));
    const auto bits = static_cast<std::uint32_t>(o.value);
    return s.emit(hex_number(std::int64_t{bits}) + (wide ? (bits != 0 ? "00000000" : "") : ""));
  }
  std::string digits(s.peek());
  if (wide && digits != "0x0" && digits != "0") {
    const std::string zeros = "00000000";
    if (digits.size() <= zeros.size() || digits.substr(digits.size() - zeros.size()) != zeros)
      return s.fail("a float64 whose lower half is zero expected");
    digits.resize(digits.size() - zeros.size());
  }
  const auto value = parse_number(digits);
  if (!value) return s.fail("register, constant or number expected");
  o.kind = operand_kind::immediate;
  o.words = e.words;
  o.form = e.form;
  o.value = static_cast<std::int32_t>(*value);
  s.advance();
}

void transfer_source_text(const element& e, instruction& i, text_stream& s, std::string&) {
  operand& o = e.of(i);
  if (s.printing()) {
    if (o.kind == operand_kind::gpr) return s.emit(register_text(o.index, o.words));
    if (o.kind == operand_kind::constant) return s.emit(constant_text(o));
    return transfer_immediate_text(o, e, s);
  }
  if (s.peek().substr(0, 2) == "$r") return transfer_register_text(o, e.words, s);
  if (parse_constant(s.peek(), o)) {
    o.words = e.words;
    return s.advance();
  }
  transfer_immediate_text(o, e, s);
}

void transfer_gpr_text(const element& e, instruction& i, text_stream& s, std::string&) {
  transfer_register_text(e.of(i), e.words, s);
}

std::string memory_text(const element& e, const operand& o) {
  std::string inside;
  if (o.index != zero_register || o.words == 2) inside = register_text(o.index, o.words);
  if (inside.empty())
    inside = hex_number(o.value);
  else if (o.value != 0)
    inside += (o.value > 0 ? "+" : "") + hex_number(o.value);
  return std::string(e.word) + "[" + inside + "]";
}

constexpr bit_field wide_address = {58, 1};

element memory_element(const char* space, bit_field offset, std::uint8_t shift) {
  element e;
  e.word = space;
  e.field = offset;
  e.shift = shift;
  e.slot = 0;
  e.bits = [](const element& self, instruction& i, bit_stream& s) {
    operand& o = i.source[0];
    if (!s.reading() && o.kind != operand_kind::memory) return s.fail("a memory operand is needed");
    o.kind = operand_kind::memory;
    s.transfer(o.index, source_1_field, "register");
    s.transfer_offset(o.value, self.field, self.shift, true, "offset");
  };
  e.text = [](const element& self, instruction& i, text_stream& s, std::string&) {
    operand& o = i.source[0];
    if (s.printing()) return s.emit(memory_text(self, o));
    const auto inside = inside_of(s.peek(), self.word);
    if (!inside || !parse_address(*inside, o, self.words == 2))
      return s.fail(std::string(self.word) + "[...] expected");
    o.kind = operand_kind::memory;
    s.advance();
  };
  return e;
}

}  // namespace

std::string register_text(unsigned index, unsigned words) {
  return "$r" + std::to_string(index) + std::string(suffix_of(words));
}

void transfer_register_text(operand& o, unsigned words, text_stream& s) {
  if (s.printing()) return s.emit(register_text(o.index, words));
  if (!parse_register(s.peek(), words, o.index))
    return s.fail("register $r0" + std::string(suffix_of(words)) + " .. $r63" + std::string(suffix_of(words)) +
                  " expected" + (s.at_end() ? "" : " instead of '" + std::string(s.peek()) + "'"));
  o.kind = operand_kind::gpr;
  o.words = static_cast<std::uint8_t>(words);
  s.advance();
}

void transfer_number_text(std::int64_t& value, std::int64_t low, std::int64_t high, text_stream& s) {
  if (s.printing()) return s.emit(hex_number(value));
  const auto number = parse_number(s.peek());
  if (!number || *number < low || *number > high)
    return s.fail("number from " + std::to_string(low) + " to " + std::to_string(high) + " expected");
  value = *number;
  s.advance();
}

element gpr(std::uint8_t slot, std::uint8_t low, std::uint8_t words) {
  element e;
  e.slot = slot;
  e.field = {low, 6};
  e.words = words;
  e.bits = [](const element& self, instruction& i, bit_stream& s) {
    transfer_register_bits(self.of(i), self.field, self.words, s);
  };
  e.text = transfer_gpr_text;
  return e;
}

element same_as_destination(std::uint8_t slot) { return gpr(slot, 14); }

element second(immediate_form form, std::uint8_t words) {
  element e;
  e.slot = 1;
  e.words = words;
  e.form = form;
  e.bits = transfer_second_bits;
  e.text = transfer_source_text;
  return e;
}

element second_of_three(immediate_form form, std::uint8_t words) {
  element e = second(form, words);
  e.three_sources = true;
  return e;
}

element third(std::uint8_t words) {
  element e;
  e.slot = 2;
  e.words = words;
  e.bits = transfer_third_bits;
  e.text = [](const element& self, instruction& i, text_stream& s, std::string& label) {
    if (!s.printing() && s.peek().substr(0, 1) != "c") return transfer_gpr_text(self, i, s, label);
    transfer_source_text(self, i, s, label);
  };
  return e;
}

element second_without_constant(std::uint8_t words) {
  element e = second(immediate_form::integer, words);
  e.bits = [](const element& self, instruction& i, bit_stream& s) {
    transfer_second_bits(self, i, s);
    if (i.source[1].kind == operand_kind::constant) s.fail("a constant of 64 bits is not possible here");
  };
  return e;
}

element immediate(std::uint8_t slot, bit_field bits) {
  element e;
  e.slot = slot;
  e.field = bits;
  e.bits = [](const element& self, instruction& i, bit_stream& s) {
    operand& o = self.of(i);
    o.kind = operand_kind::immediate;
    auto raw = static_cast<std::uint32_t>(o.value);
    s.transfer(raw, self.field, "immediate");
    o.value = static_cast<std::int32_t>(raw);
  };
  e.text = [](const element& self, instruction& i, text_stream& s, std::string&) {
    operand& o = self.of(i);
    std::int64_t value = static_cast<std::uint32_t>(o.value);
    transfer_number_text(value, -(std::int64_t{1} << 31), (std::int64_t{1} << 32) - 1, s);
    o.kind = operand_kind::immediate;
    o.value = static_cast<std::int32_t>(value);
  };
  return e;
}

element number(bit_field bits, std::uint32_t (*get)(const instruction&), void (*set)(instruction&, std::uint32_t)) {
  element e;
  e.field = bits;
  e.get = get;
  e.set = set;
  e.bits = [](const element& self, instruction& i, bit_stream& s) {
    std::uint32_t value = self.get(i);
    s.transfer(value, self.field, "number");
    self.set(i, value);
  };
  e.text = [](const element& self, instruction& i, text_stream& s, std::string&) {
    std::int64_t value = self.get(i);
    transfer_number_text(value, 0, (std::int64_t{1} << self.field.total_width()) - 1, s);
    self.set(i, static_cast<std::uint32_t>(value));
  };
  return e;
}

element special_register(bit_field bits) {
  element e;
  e.field = bits;
  e.bits = [](const element& self, instruction& i, bit_stream& s) {
    s.transfer(i.special, self.field, "special register");
  };
  e.text = [](const element&, instruction& i, text_stream& s, std::string&) {
    if (s.printing()) return s.emit(special_register_text(i.special));
    const auto number = parse_special_register(s.peek());
    if (!number) return s.fail("special register such as $tidx expected");
    i.special = *number;
    s.advance();
  };
  return e;
}

element memory_operand(const char* space, bit_field offset, std::uint8_t shift) {
  return memory_element(space, offset, shift);
}

element global_operand(bit_field offset, std::uint8_t shift) {
  element e = memory_element("g", offset, shift);
  e.words = 2;
  e.bits = [](const element& self, instruction& i, bit_stream& s) {
    operand& o = i.source[0];
    if (!s.reading() && o.kind != operand_kind::memory) return s.fail("a memory operand is needed");
    o.kind = operand_kind::memory;
    bool wide = o.words == 2;
    s.transfer(wide, wide_address.low, "width of the address");
    o.words = wide ? 2 : 1;
    s.transfer(o.index, source_1_field, "register");
    s.transfer_offset(o.value, self.field, self.shift, true, "offset");
  };
  return e;
}

element memory_type() {
  return choice<&instruction::memory_type>(
      {5, 3},
      {{0, 0, "u8"}, {1, 1, "s8"}, {2, 2, "u16"}, {3, 3, "s16"}, {4, 4, "b32"}, {5, 5, "b64"}, {6, 6, "b128"}});
}

element data(std::uint8_t slot) {
  element e = gpr(slot, 14);
  e.bits = [](const element& self, instruction& i, bit_stream& s) {
    transfer_register_bits(self.of(i), self.field, static_cast<unsigned>(words_of(i.memory_type)), s);
  };
  e.text = [](const element& self, instruction& i, text_stream& s, std::string&) {
    transfer_register_text(self.of(i), static_cast<unsigned>(words_of(i.memory_type)), s);
  };
  return e;
}

element indexed_constant() {
  element e;
  e.bits = [](const element&, instruction& i, bit_stream& s) {
    operand& o = i.source[0];
    if (!s.reading() && o.kind != operand_kind::constant) return s.fail("a constant is needed");
    o.kind = operand_kind::constant;
    s.transfer(o.bank, indexed_constant_bank, "constant bank");
    s.transfer(o.index, source_1_field, "register");
    s.transfer_offset(o.value, indexed_constant_offset, 0, true, "offset");
  };
  e.text = [](const element&, instruction& i, text_stream& s, std::string&) {
    operand& o = i.source[0];
    if (s.printing()) return s.emit(constant_text(o));
    if (!parse_constant(s.peek(), o)) return s.fail("constant such as c1[$r2+0x4] expected");
    s.advance();
  };
  return e;
}

element register_or_number(std::uint8_t slot, std::uint8_t number_bit, std::uint8_t register_low,
                           bit_field number_bits) {
  element e;
  e.slot = slot;
  e.number_bit = number_bit;
  e.register_field = {register_low, 6};
  e.field = number_bits;
  e.bits = [](const element& self, instruction& i, bit_stream& s) {
    operand& o = self.of(i);
    bool is_number = o.kind == operand_kind::immediate;
    s.transfer(is_number, self.number_bit, "form of an operand");
    if (!is_number) return transfer_register_bits(o, self.register_field, 1, s);
    o.kind = operand_kind::immediate;
    auto value = static_cast<std::uint32_t>(o.value);
    s.transfer(value, self.field, "number");
    o.value = static_cast<std::int32_t>(value);
  };
  e.text = [](const element& self, instruction& i, text_stream& s, std::string&) {
    operand& o = self.of(i);
    const bool is_register = s.printing() ? o.kind == operand_kind::gpr : s.peek().substr(0, 2) == "$r";
    if (is_register) return transfer_register_text(o, 1, s);
    std::int64_t value = o.value;
    transfer_number_text(value, 0, (std::int64_t{1} << self.field.total_width()) - 1, s);
    o.kind = operand_kind::immediate;
    o.value = static_cast<std::int32_t>(value);
  };
  return e;
}

element video_part() {
  element e = choice_element(
      {44, 3}, {{0, 0, "b0"}, {1, 1, "b1"}, {2, 2, "b2"}, {3, 3, "b3"}, {4, 4, "h0"}, {5, 5, "h1"}, {6, 6, ""}});
  e.get = [](const instruction& i) -> std::uint32_t { return i.selector[0]; };
  e.set = [](instruction& i, std::uint32_t v) { i.selector[0] = static_cast<std::uint8_t>(v); };
  return e;
}

element video_second() {
  static constexpr std::array<const char*, 6> names = {"b0", "b1", "b2", "b3", "h0", "h1"};
  static constexpr std::uint8_t whole = 6;
  static constexpr unsigned register_bit = 47;
  static constexpr bit_field selector_field = {32, 3};
  static constexpr bit_field number_field = {26, 16};
  static constexpr unsigned sign_bit = 5;
  element e;
  e.bits = [](const element&, instruction& i, bit_stream& s) {
    operand& o = i.source[1];
    bool is_register = o.kind == operand_kind::gpr;
    s.transfer(is_register, register_bit, "form of source 1");
    s.transfer(i.source_signed[1], sign_bit, "sign of source 1");
    if (is_register) {
      transfer_register_bits(o, source_2_field, 1, s);
      s.transfer(i.selector[1], selector_field, "part of source 1");
      if (i.selector[1] > whole) s.fail("part 7 of source 1 is undefined");
      return;
    }
    o.kind = operand_kind::immediate;
    i.selector[1] = whole;
    auto value = static_cast<std::uint32_t>(o.value);
    s.transfer(value, number_field, "number");
    o.value = static_cast<std::int32_t>(value);
  };
  e.text = [](const element&, instruction& i, text_stream& s, std::string&) {
    operand& o = i.source[1];
    if (s.printing()) {
      if (i.selector[1] != whole) s.emit(names[i.selector[1]]);
      s.emit(i.source_signed[1] ? "s32" : "u32");
    } else {
      i.selector[1] = whole;
      for (std::uint8_t part = 0; part < names.size(); ++part)
        if (s.peek() == names[part]) i.selector[1] = part;
      if (i.selector[1] != whole) s.advance();
      i.source_signed[1] = s.peek() == "s32";
      s.literal(i.source_signed[1] ? "s32" : "u32");
      if (!s.ok()) return;
    }
    const bool is_register = s.printing() ? o.kind == operand_kind::gpr : s.peek().substr(0, 2) == "$r";
    if (is_register) return transfer_register_text(o, 1, s);
    std::int64_t value = o.value;
    transfer_number_text(value, 0, 0xffff, s);
    o.kind = operand_kind::immediate;
    o.value = static_cast<std::int32_t>(value);
  };
  return e;
}

element relative_target() {
  element e;
  e.field = {26, 24};
  e.bits = [](const element& self, instruction& i, bit_stream& s) {
    s.transfer_signed(i.target, self.field, "distance to the target");
  };
  e.text = [](const element&, instruction&, text_stream& s, std::string& label) {
    if (s.printing()) return s.emit(label);
    if (s.at_end()) return s.fail("target expected");
    label = s.peek();
    s.advance();
  };
  return e;
}

element absolute_target() {
  element e = relative_target();
  e.field = {26, 32};
  e.bits = [](const element& self, instruction& i, bit_stream& s) {
    auto target = static_cast<std::uint32_t>(i.target);
    s.transfer(target, self.field, "target");
    i.target = static_cast<std::int32_t>(target);
  };
  return e;
}

}  // namespace gt200::isa::fermi
