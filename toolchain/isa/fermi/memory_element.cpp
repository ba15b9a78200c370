// The elements that are memory operands, and the registers that an access moves.
#include "toolchain/isa/fermi/element.h"
#include "toolchain/isa/fermi/operand_text.h"

namespace gt200::isa::fermi {
namespace {

constexpr bit_field base_field = {20, 6};
constexpr bit_field data_field = {14, 6};
constexpr bit_field wide_address = {58, 1};
constexpr bit_field indexed_constant_offset = {26, 16};
constexpr bit_field indexed_constant_bank = {42, 5};

std::string memory_text(const element& e, const operand& o) {
  std::string inside;
  if (o.index != zero_register || o.words == 2) inside = register_text(o.index, o.words);
  if (inside.empty())
    inside = hex_number(o.value);
  else if (o.value != 0)
    inside += (o.value > 0 ? "+" : "") + hex_number(o.value);
  return std::string(e.word) + "[" + inside + "]";
}

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
    s.transfer(o.index, base_field, "register");
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
    s.transfer(o.index, base_field, "register");
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
  element e;
  e.slot = slot;
  e.field = data_field;
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
    s.transfer(o.index, base_field, "register");
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

}  // namespace gt200::isa::fermi
