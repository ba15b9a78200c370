// The elements of a texture fetch. How many registers its operands have follows from modifiers, shape and mask; the
// last element of a row, texture_registers(), counts them.
#include <algorithm>
#include <string>

#include "toolchain/isa/common/text_stream.h"
#include "toolchain/isa/volta/element.h"
#include "toolchain/isa/volta/operand_text.h"
#include "toolchain/isa/volta/texture.h"

namespace gt200::isa::volta {
namespace {

constexpr bit_field shape_field = {61, 3};
constexpr bit_field mask_field = {72, 4};
constexpr bit_field handle_word = {40, 14};
constexpr bit_field handle_bank = {54, 5};
constexpr std::uint8_t first_destination_low = 16;
constexpr unsigned all_components = 15;
constexpr unsigned components_of_first_destination = 2;

constexpr choice_entry shapes[] = {{0, 0, "1D"},       {1, 1, "2D"},       {2, 2, "3D"},        {3, 3, "CUBE"},
                                   {4, 4, "ARRAY_1D"}, {5, 5, "ARRAY_2D"}, {7, 7, "ARRAY_CUBE"}};

operand& destination_of(instruction& i, const element& e) {
  return e.field.low == first_destination_low ? i.destination : i.second_destination;
}

std::optional<std::int64_t> taken_number(line_text& s, std::int64_t last, const char* what) {
  const auto number = parse_number(s.peek_operand());
  if (!number || *number < 0 || *number > last) {
    s.fail(std::string(what) + " of 0 to " + hex_number(last) + " expected");
    return std::nullopt;
  }
  s.next_operand();
  return number;
}

// A list of registers ends in its file; the zero register stands for all of them.
void set_words(operand& o, unsigned words, wide_bit_stream& s) {
  o.words = static_cast<std::uint8_t>(std::max(1u, words));
  if (words == 0 && o.index != zero_register) return s.fail("a register that the fetch does not use");
  if (o.index != zero_register && o.index + words > max_gpr) s.fail("registers of a fetch beyond R254");
}

}  // namespace

element texture_destination(std::uint8_t low) {
  element e = gpr(destination_slot, low);
  e.bits = [](const element& self, instruction& i, wide_bit_stream& s) {
    operand& o = destination_of(i, self);
    o.kind = operand_kind::gpr;
    s.transfer(o.index, self.field, "register");
  };
  e.text = [](const element& self, instruction& i, line_text& s, std::string&) {
    operand& o = destination_of(i, self);
    if (s.printing()) return s.add_operand(operand_text(o));
    std::string reason;
    if (!parse_operand(s.peek_operand(), immediate_form::integer, o, reason) || o.kind != operand_kind::gpr)
      return s.fail("a register R0 .. R254 or RZ is expected");
    s.next_operand();
  };
  return e;
}

element second_arguments() {
  element e = gpr(1, 32);
  e.text = [](const element& self, instruction& i, line_text& s, std::string& label) {
    const bool is_there = s.printing() ? arguments_of(i).words[1] != 0 : s.peek_operand().substr(0, 1) == "R";
    const element all = gpr(self.slot, self.field.low);
    if (is_there) return all.text(all, i, s, label);
    self.of(i).kind = operand_kind::gpr;
    self.of(i).index = zero_register;
  };
  return e;
}

element texture_handle() {
  element e;
  e.slot = 2;
  e.bits = [](const element& self, instruction& i, wide_bit_stream& s) {
    operand& o = self.of(i);
    if (!s.reading() && o.kind != operand_kind::constant) return s.fail("the handle is in constant memory");
    o.kind = operand_kind::constant;
    if (!s.reading() && o.value % 4 != 0) return s.fail("the handle is a word of constant memory");
    auto word = static_cast<std::uint32_t>(o.value) / 4;
    s.transfer(word, handle_word, "handle");
    o.value = static_cast<std::int32_t>(word * 4);
    s.transfer(o.bank, handle_bank, "constant bank");
  };
  e.text = [](const element& self, instruction& i, line_text& s, std::string&) {
    operand& o = self.of(i);
    if (s.printing()) {
      s.add_operand(hex_number(o.bank));
      return s.add_operand(hex_number(o.value / 4));
    }
    o.kind = operand_kind::constant;
    const auto bank = taken_number(s, (1 << handle_bank.width) - 1, "a constant bank");
    const auto word = bank ? taken_number(s, (1 << handle_word.width) - 1, "a word of constant memory") : bank;
    if (!word) return;
    o.bank = static_cast<std::uint8_t>(*bank);
    o.value = static_cast<std::int32_t>(*word * 4);
  };
  return e;
}

element texture_shape_operand() {
  element e = choice<&instruction::shape>(shape_field, {std::begin(shapes), std::end(shapes)});
  e.text = [](const element& self, instruction& i, line_text& s, std::string&) {
    for (const choice_entry& entry : self.choices) {
      if (s.printing() ? entry.value != self.get(i) : s.peek_operand() != entry.word) continue;
      if (s.printing()) return s.add_operand(entry.word);
      self.set(i, entry.value);
      return s.next_operand();
    }
    s.fail("a shape such as 2D is expected");
  };
  return e;
}

element written_components() {
  element e = number<&instruction::texture_write_mask>(mask_field);
  e.text = [](const element&, instruction& i, line_text& s, std::string&) {
    if (s.printing()) {
      if (i.texture_write_mask != all_components) s.add_operand(hex_number(i.texture_write_mask));
      return;
    }
    if (s.peek_operand().empty()) return;
    if (const auto mask = taken_number(s, all_components, "written components"))
      i.texture_write_mask = static_cast<std::uint8_t>(*mask);
  };
  return e;
}

element texture_registers() {
  element e;
  e.bits = [](const element&, instruction& i, wide_bit_stream& s) {
    const auto components = static_cast<unsigned>(__builtin_popcount(i.texture_write_mask));
    if (components == 0) return s.fail("a fetch writes at least one component");
    const unsigned first = std::min(components, components_of_first_destination);
    set_words(i.destination, first, s);
    set_words(i.second_destination, components - first, s);
    const texture_arguments arguments = arguments_of(i);
    if (!arguments.possible) return s.fail("more arguments than .SCR can have");
    for (unsigned k = 0; k < 2; ++k) set_words(i.source[k], arguments.words[k], s);
    if (arguments.words[1] == 0) i.source[1].reuse = false;
  };
  return e;
}

}  // namespace gt200::isa::volta
