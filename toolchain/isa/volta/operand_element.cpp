// The elements that are registers, numbers and constants.
#include <algorithm>

#include "toolchain/isa/common/text_stream.h"
#include "toolchain/isa/volta/element.h"
#include "toolchain/isa/volta/operand_text.h"

namespace gt200::isa::volta {
namespace {

constexpr bit_field form_field = {9, 3};
constexpr bit_field a_field = {24, 8};
constexpr bit_field x_field = {32, 8};
constexpr bit_field y_field = {64, 8};
constexpr bit_field x_number = {32, 32};
constexpr bit_field constant_offset = {38, 16};
constexpr bit_field constant_bank = {54, 5};
constexpr bit_field part_field = {60, 2};

// Bits 9-11.
enum form : std::uint32_t { registers = 1, number_as_c = 2, constant_as_c = 3, number_as_b = 4, constant_as_b = 5 };

struct sign_bits {
  unsigned negate;
  unsigned absolute;
};
constexpr sign_bits a_signs = {72, 73};
constexpr sign_bits x_signs = {63, 62};
constexpr sign_bits y_signs = {75, 74};

std::uint32_t form_of(const element& e, const instruction& i) {
  const auto form_for = [](operand_kind kind, form number, form constant) {
    return kind == operand_kind::immediate ? number : kind == operand_kind::constant ? constant : registers;
  };
  const operand& own = i.source[e.slot];
  switch (e.place) {
    case place::a: break;
    case place::b: return form_for(own.kind, number_as_b, constant_as_b);
    case place::b_of_c:
    case place::c: return form_for(own.kind, number_as_c, constant_as_c);
    case place::b_of_3:
    case place::c_of_3:
      if (i.source[2].kind == operand_kind::immediate || i.source[2].kind == operand_kind::constant)
        return form_for(i.source[2].kind, number_as_c, constant_as_c);
      return form_for(i.source[1].kind, number_as_b, constant_as_b);
  }
  return registers;
}

// Content of the field X for this operand; none: the operand is in Y.
operand_kind kind_in_x(volta::place where, std::uint32_t code) {
  switch (where) {
    case place::b:
      if (code == registers) return operand_kind::gpr;
      if (code == number_as_b) return operand_kind::immediate;
      if (code == constant_as_b) return operand_kind::constant;
      break;
    case place::b_of_c:
      if (code == registers) return operand_kind::gpr;
      if (code == number_as_c) return operand_kind::immediate;
      if (code == constant_as_c) return operand_kind::constant;
      break;
    case place::c:
      if (code == number_as_c) return operand_kind::immediate;
      if (code == constant_as_c) return operand_kind::constant;
      break;
    case place::b_of_3:
      if (code == registers) return operand_kind::gpr;
      if (code == number_as_b) return operand_kind::immediate;
      if (code == constant_as_b) return operand_kind::constant;
      break;
    case place::c_of_3:
      if (code == number_as_c) return operand_kind::immediate;
      if (code == constant_as_c) return operand_kind::constant;
      break;
    case place::a: break;
  }
  return operand_kind::none;
}

bool is_possible(volta::place where, std::uint32_t code) {
  switch (where) {
    case place::b: return code == registers || code == number_as_b || code == constant_as_b;
    case place::b_of_c:
    case place::c: return code == registers || code == number_as_c || code == constant_as_c;
    case place::b_of_3:
    case place::c_of_3: return code >= registers && code <= constant_as_b;
    case place::a: break;
  }
  return true;
}

void transfer_signs(const element& e, const instruction& i, operand& o, sign_bits at, wide_bit_stream& s) {
  switch (e.signs) {
    case signs::none:
      if (!s.reading() && (o.negate || o.absolute || o.invert)) s.fail("a sign is not possible here");
      return;
    case signs::negate:
      if (!s.reading() && (o.absolute || o.invert)) return s.fail("only a minus is possible here");
      return s.transfer(o.negate, at.negate, "sign");
    case signs::negate_absolute:
      if (!s.reading() && o.invert) return s.fail("~ is not possible here");
      s.transfer(o.negate, at.negate, "sign");
      return s.transfer(o.absolute, at.absolute, "absolute value");
    case signs::invert:
      if (!s.reading() && (o.negate || o.absolute)) return s.fail("only ~ is possible here");
      return s.transfer(o.invert, at.negate, "complement");
    case signs::negate_or_invert_in_x:
      if (at.negate == y_signs.negate) {
        if (!s.reading() && (o.negate || o.absolute || o.invert))
          s.fail("a sign is not possible beside a constant");
        return;
      }
      [[fallthrough]];
    case signs::negate_or_invert: {
      bool& own = i.extended ? o.invert : o.negate;
      if (!s.reading() && (o.absolute || (i.extended ? o.negate : o.invert)))
        return s.fail(i.extended ? "only ~ is possible with .X" : "only a minus is possible without .X");
      return s.transfer(own, at.negate, "sign");
    }
  }
}

// The reuse bit belongs to the source, wherever its register is encoded.
void transfer_register(operand& o, instruction& i, bit_field field, std::uint8_t port, std::uint8_t words,
                       wide_bit_stream& s) {
  if (!s.reading() && o.kind != operand_kind::gpr) return s.fail("a register is needed here");
  o.kind = operand_kind::gpr;
  o.words = words;
  s.transfer(o.index, field, "register");
  if (s.reading())
    o.reuse = (i.codes.reuse >> port & 1) != 0;
  else if (o.reuse)
    i.codes.reuse = static_cast<std::uint8_t>(i.codes.reuse | 1u << port);
}

void transfer_constant(operand& o, std::uint8_t words, wide_bit_stream& s) {
  o.kind = operand_kind::constant;
  o.words = words;
  s.transfer(o.bank, constant_bank, "constant bank");
  s.transfer_offset(o.value, constant_offset, 0, false, "offset of a constant");
}

void transfer_number(operand& o, const element& e, wide_bit_stream& s) {
  if (!s.reading() && o.form == immediate_form::high && e.form != immediate_form::high)
    return s.fail("the number would not be the upper word of 64 bits");
  o.kind = operand_kind::immediate;
  o.form = e.form;
  o.words = e.words;
  if (!s.reading() && (o.negate || o.absolute || o.invert)) return s.fail("a number has no sign of its own");
  auto raw = static_cast<std::uint32_t>(o.value);
  s.transfer(raw, x_number, "number");
  o.value = static_cast<std::int32_t>(raw);
}

void transfer_source_bits(const element& e, instruction& i, wide_bit_stream& s) {
  operand& o = e.of(i);
  if (e.place == place::a) {
    transfer_register(o, i, a_field, 0, e.words, s);
    transfer_signs(e, i, o, a_signs, s);
    return;
  }
  std::uint32_t code = s.reading() ? 0 : form_of(e, i);
  s.transfer(code, form_field, "form of the sources");
  if (!is_possible(e.place, code))
    return s.fail(code == 6 || code == 7 ? "uniform registers exist from sm_75 on"
                                         : "form " + std::to_string(code) + " of the sources is undefined here");
  const operand_kind kind = kind_in_x(e.place, code);
  if (kind == operand_kind::none) {
    transfer_register(o, i, y_field, e.port, e.words, s);
    return transfer_signs(e, i, o, y_signs, s);
  }
  if (!s.reading() && o.kind != kind) return s.fail("only one source can be a constant or a number");
  if (kind == operand_kind::immediate) return transfer_number(o, e, s);
  if (kind == operand_kind::gpr)
    transfer_register(o, i, x_field, e.port, e.words, s);
  else
    transfer_constant(o, e.words, s);
  transfer_signs(e, i, o, x_signs, s);
}

void transfer_gpr_text(const element& e, instruction& i, line_text& s, std::string&) {
  operand& o = e.of(i);
  if (s.printing()) return s.add_operand(operand_text(o));
  std::string reason;
  if (!parse_operand(s.peek_operand(), immediate_form::integer, o, reason) || o.kind != operand_kind::gpr)
    return s.fail("a register R0 .. R254 or RZ is expected" +
                  (s.peek_operand().empty() ? "" : ", not '" + std::string(s.peek_operand()) + "'"));
  o.words = e.words;
  s.next_operand();
}

void transfer_source_text(const element& e, instruction& i, line_text& s, std::string&) {
  operand& o = e.of(i);
  if (s.printing()) return s.add_operand(operand_text(o));
  std::string reason;
  if (!parse_operand(s.peek_operand(), e.form, o, reason)) return s.fail(reason);
  o.words = e.words;
  o.form = e.form;
  s.next_operand();
}

}  // namespace

element gpr(std::uint8_t slot, std::uint8_t low, std::uint8_t words) {
  element e;
  e.slot = slot;
  e.field = {low, 8};
  e.words = words;
  e.port = low == 24 ? 0 : low == 32 ? 1 : 2;
  e.bits = [](const element& self, instruction& i, wide_bit_stream& s) {
    operand& o = self.of(i);
    if (self.slot != destination_slot) return transfer_register(o, i, self.field, self.port, self.words, s);
    o.kind = operand_kind::gpr;
    o.words = self.words;
    s.transfer(o.index, self.field, "register");
  };
  e.text = transfer_gpr_text;
  return e;
}

element gpr_by_width(std::uint8_t slot, std::uint8_t low) {
  element e = gpr(slot, low);
  e.bits = [](const element& self, instruction& i, wide_bit_stream& s) {
    transfer_register(self.of(i), i, self.field, self.port, i.wide ? 2 : 1, s);
  };
  return e;
}

element to(std::uint8_t words) { return gpr(destination_slot, 16, words); }

element to_by_width() {
  element e = to();
  e.bits = [](const element& self, instruction& i, wide_bit_stream& s) {
    operand& o = self.of(i);
    o.kind = operand_kind::gpr;
    o.words = i.wide ? 2 : 1;
    s.transfer(o.index, self.field, "register");
  };
  return e;
}

element optional_to() {
  element e = to();
  e.text = [](const element& self, instruction& i, line_text& s, std::string& label) {
    operand& o = self.of(i);
    if (s.printing() ? o.index != zero_register : s.peek_operand().substr(0, 1) == "R")
      return transfer_gpr_text(self, i, s, label);
    o.kind = operand_kind::gpr;
    o.index = zero_register;
  };
  return e;
}

element source(volta::place where, volta::signs allowed, immediate_form form, std::uint8_t words) {
  element e;
  e.place = where;
  e.signs = allowed;
  e.form = form;
  e.words = words;
  switch (where) {
    case place::a: break;
    case place::c:
    case place::b_of_c:
      e.slot = 1;
      e.port = 2;
      break;
    case place::b:
    case place::b_of_3:
      e.slot = 1;
      e.port = 1;
      break;
    case place::c_of_3:
      e.slot = 2;
      e.port = 2;
      break;
  }
  e.bits = transfer_source_bits;
  e.text = transfer_source_text;
  return e;
}

// The text of the part belongs to the operand: "R4.B1".
element part_of_source(std::uint8_t slot) {
  element e;
  e.slot = slot;
  e.bits = [](const element& self, instruction& i, wide_bit_stream& s) {
    operand& o = self.of(i);
    if (o.kind != operand_kind::gpr && o.kind != operand_kind::constant) {
      if (!s.reading() && o.part != operand_part::whole) s.fail("a number has no parts");
      return;
    }
    const bool is_half =
        i.source_type == number_type::u16 || i.source_type == number_type::s16 || i.source_type == number_type::f16;
    const bool is_byte = i.source_type == number_type::u8 || i.source_type == number_type::s8;
    constexpr operand_part bytes[] = {operand_part::whole, operand_part::b1, operand_part::b2, operand_part::b3};
    constexpr operand_part halves[] = {operand_part::whole, operand_part::h1};
    const operand_part* parts = is_half ? halves : bytes;
    const std::uint32_t count = is_byte ? 4 : is_half ? 2 : 1;
    std::uint32_t code = 0;
    while (!s.reading() && code < count && parts[code] != o.part) ++code;
    if (code < count) s.transfer(code, part_field, "part of a register");
    if (code >= count) return s.fail("this part of a register does not exist for the type");
    o.part = parts[code];
  };
  return e;
}

// -- memory --

element memory_operand(bit_field offset) {
  element e;
  e.slot = 0;
  e.field = offset;
  e.bits = [](const element& self, instruction& i, wide_bit_stream& s) {
    operand& o = self.of(i);
    o.kind = operand_kind::memory;
    o.words = i.wide_address ? 2 : 1;
    s.transfer(o.index, a_field, "register");
    if (s.reading())
      o.reuse = (i.codes.reuse & 1) != 0;
    else if (o.reuse)
      i.codes.reuse |= 1;
    if (self.field.width != 0) return s.transfer_signed(o.value, self.field, "offset of an address");
    if (!s.reading() && o.value != 0) s.fail("an offset is not possible here");
  };
  e.text = [](const element& self, instruction& i, line_text& s, std::string&) {
    operand& o = self.of(i);
    if (s.printing()) return s.add_operand(memory_text(o));
    if (!parse_memory(s.peek_operand(), o)) return s.fail("an address such as [R2+0x8] is expected");
    s.next_operand();
  };
  return e;
}

element indexed_constant() {
  element e;
  e.slot = 0;
  e.bits = [](const element& self, instruction& i, wide_bit_stream& s) {
    operand& o = self.of(i);
    std::uint32_t form = constant_as_b;
    s.transfer(form, form_field, "form of the sources");
    if (form != constant_as_b) return s.fail("form " + std::to_string(form) + " of the sources is undefined here");
    o.kind = operand_kind::constant;
    s.transfer(o.index, a_field, "register");
    s.transfer(o.bank, constant_bank, "constant bank");
    if (o.index == zero_register)
      return s.transfer_offset(o.value, constant_offset, 0, false, "offset of a constant");
    s.transfer_signed(o.value, constant_offset, "offset of a constant");
  };
  e.text = [](const element& self, instruction& i, line_text& s, std::string&) {
    operand& o = self.of(i);
    if (s.printing()) return s.add_operand(operand_text(o));
    std::string reason;
    if (!parse_operand(s.peek_operand(), immediate_form::integer, o, reason) || o.kind != operand_kind::constant)
      return s.fail("a constant such as c[0x3][R2+0x8] is expected");
    s.next_operand();
  };
  return e;
}

element data(std::uint8_t slot, std::uint8_t low) {
  element e = gpr(slot, low);
  e.bits = [](const element& self, instruction& i, wide_bit_stream& s) {
    operand& o = self.of(i);
    const std::uint8_t size = i.memory_size;
    const auto words = static_cast<std::uint8_t>(size >= 6 ? 4 : size == 5 ? 2 : 1);
    if (self.slot != destination_slot) return transfer_register(o, i, self.field, self.port, words, s);
    o.kind = operand_kind::gpr;
    o.words = words;
    s.transfer(o.index, self.field, "register");
  };
  return e;
}

element memory_size() {
  return choice<&instruction::memory_size>({73, 3}, {{0, 0, "U8"},
                                                     {1, 1, "S8"},
                                                     {2, 2, "U16"},
                                                     {3, 3, "S16"},
                                                     {4, 4, ""},
                                                     {5, 5, "64"},
                                                     {6, 6, "128"},
                                                     {7, 7, "U.128"}});
}

element access_order() {
  // A weak access of the whole system is what ordinary code has.
  element e;
  e.bits = [](const element&, instruction& i, wide_bit_stream& s) {
    auto scope = static_cast<std::uint32_t>(i.scope);
    auto order = static_cast<std::uint32_t>(i.order);
    s.transfer(scope, {77, 2}, "scope of an access");
    s.transfer(order, {79, 2}, "order of an access");
    i.scope = static_cast<memory_scope>(scope);
    i.order = static_cast<memory_order>(order);
  };
  e.text = [](const element&, instruction& i, line_text& s, std::string&) {
    static constexpr const char* orders[] = {"CONSTANT", "WEAK", "STRONG", "MMIO"};
    static constexpr const char* scopes[] = {"CTA", "SM", "GPU", "SYS"};
    if (s.printing()) {
      if (i.order != memory_order::weak) s.add_modifier(orders[static_cast<unsigned>(i.order)]);
      return s.add_modifier(scopes[static_cast<unsigned>(i.scope)]);
    }
    i.order = memory_order::weak;
    for (unsigned k = 0; k < 4; ++k)
      if (s.take_modifier(orders[k])) i.order = static_cast<memory_order>(k);
    for (unsigned k = 0; k < 4; ++k)
      if (s.take_modifier(scopes[k])) {
        i.scope = static_cast<memory_scope>(k);
        return;
      }
    s.fail("the scope of the access is missing: .CTA, .SM, .GPU or .SYS");
  };
  return e;
}

element atomic_operation() {
  return choice<&instruction::atomic_operation>({87, 4}, {{0, 0, "ADD"},
                                                          {1, 1, "MIN"},
                                                          {2, 2, "MAX"},
                                                          {3, 3, "INC"},
                                                          {4, 4, "DEC"},
                                                          {5, 5, "AND"},
                                                          {6, 6, "OR"},
                                                          {7, 7, "XOR"},
                                                          {8, 8, "EXCH"}});
}

element atomic_kind() {
  element e = choice<&instruction::atomic_kind>({73, 3}, {{0, 0, ""},
                                                          {1, 1, "S32"},
                                                          {2, 2, "64"},
                                                          {3, 3, "F32.FTZ.RN"},
                                                          {4, 4, "F16x2.RN"},
                                                          {5, 5, "S64"},
                                                          {6, 6, "F64.RN"}});
  // The data of an atomic take as many registers as its type.
  e.set = [](instruction& i, std::uint32_t v) {
    i.atomic_kind = static_cast<atomic_type>(v);
    const bool is_wide =
        i.atomic_kind == atomic_type::u64 || i.atomic_kind == atomic_type::s64 || i.atomic_kind == atomic_type::f64;
    i.memory_size = is_wide ? 5 : 4;
  };
  return e;
}

}  // namespace gt200::isa::volta
