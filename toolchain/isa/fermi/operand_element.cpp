// The elements that are registers, immediates, constants and targets.
#include "toolchain/isa/fermi/element.h"
#include "toolchain/isa/fermi/operand_text.h"
#include "toolchain/isa/fermi/special_register.h"

namespace gt200::isa::fermi {
namespace {

constexpr bit_field source_2_field = {26, 6};
constexpr bit_field source_3_field = {49, 6};
constexpr bit_field select_field = {46, 2};
constexpr bit_field immediate_field = {26, 20};
constexpr bit_field constant_offset = {28, 14};
constexpr bit_field constant_bank = {42, 4, 26, 1};
enum select : std::uint32_t { select_register, select_constant, select_third_constant, select_immediate };

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

}  // namespace

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
