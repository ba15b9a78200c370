// The elements of video instructions.
#include <array>

#include "toolchain/isa/fermi/element.h"
#include "toolchain/isa/fermi/operand_text.h"

namespace gt200::isa::fermi {

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
  static constexpr bit_field register_field = {26, 6};
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
      transfer_register_bits(o, register_field, 1, s);
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

}  // namespace gt200::isa::fermi
