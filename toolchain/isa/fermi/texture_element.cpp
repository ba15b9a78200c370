// The elements of a texture fetch.
#include <array>
#include <cstddef>

#include "toolchain/isa/fermi/element.h"
#include "toolchain/isa/fermi/operand_text.h"

namespace gt200::isa::fermi {
namespace {

constexpr bit_field destination_field = {14, 6};
constexpr bit_field mask_field = {46, 4};
constexpr bit_field coordinates_field = {20, 6};
// By shape. An array has its index in front of the coordinates.
constexpr std::array<std::uint8_t, 5> coordinates_of = {1, 2, 2, 3, 3};

// The registers of a fetch are as many as it has components.
void set_width(instruction& i) {
  i.destination.words = static_cast<std::uint8_t>(__builtin_popcount(i.texture_write_mask));
}

// A list of registers ends in its file.
void check_last(const operand& o, bit_stream& s) {
  if (o.index + o.words > zero_register + 1) s.fail("registers of a fetch beyond $r63");
}

// "$r4:$r5:#:#": the registers that a list names, and the places of those that it leaves out.
bool parse_register_list(std::string_view token, unsigned places, std::uint8_t& first, std::uint8_t& mask) {
  unsigned named = 0;
  mask = 0;
  for (unsigned place = 0; place < places; ++place) {
    const std::size_t end = token.find(':');
    if ((end == std::string_view::npos) != (place + 1 == places)) return false;
    const std::string_view part = token.substr(0, end);
    token.remove_prefix(end == std::string_view::npos ? token.size() : end + 1);
    if (part == "#") continue;
    if (part.substr(0, 2) != "$r") return false;
    const auto number = parse_number(part.substr(2));
    if (!number || *number < 0 || *number > zero_register) return false;
    if (named == 0) first = static_cast<std::uint8_t>(*number);
    if (*number != first + static_cast<std::int64_t>(named)) return false;
    ++named;
    mask = static_cast<std::uint8_t>(mask | 1u << place);
  }
  return named != 0;
}

}  // namespace

element texture_destination() {
  element e;
  e.bits = [](const element&, instruction& i, bit_stream& s) {
    i.destination.kind = operand_kind::gpr;
    s.transfer(i.destination.index, destination_field, "register");
    s.transfer(i.texture_write_mask, mask_field, "written components");
    if (i.texture_write_mask == 0) return s.fail("a fetch writes at least one component");
    set_width(i);
    check_last(i.destination, s);
  };
  e.text = [](const element&, instruction& i, text_stream& s, std::string&) {
    if (s.printing()) {
      std::string text;
      unsigned index = i.destination.index;
      for (unsigned place = 0; place < 4; ++place) {
        if (place != 0) text += ':';
        text += (i.texture_write_mask >> place & 1) != 0 ? register_text(index++, 1) : "#";
      }
      return s.emit(text);
    }
    i.destination.kind = operand_kind::gpr;
    if (!parse_register_list(s.peek(), 4, i.destination.index, i.texture_write_mask))
      return s.fail("registers such as $r4:$r5:#:# expected");
    set_width(i);
    s.advance();
  };
  return e;
}

element texture_shape() {
  return choice<&instruction::texture_shape>(
      {51, 3}, {{0, 0, "t1d"}, {1, 1, "a1d"}, {2, 2, "t2d"}, {3, 3, "a2d"}, {4, 4, "t3d"}});
}

// Comes behind the shape, in the text and in the row.
element texture_coordinates() {
  element e;
  e.bits = [](const element&, instruction& i, bit_stream& s) {
    operand& o = i.source[0];
    if (!s.reading() && o.kind != operand_kind::gpr) return s.fail("coordinates are needed");
    o.kind = operand_kind::gpr;
    s.transfer(o.index, coordinates_field, "register");
    o.words = coordinates_of[i.texture_shape];
    check_last(o, s);
  };
  e.text = [](const element&, instruction& i, text_stream& s, std::string&) {
    operand& o = i.source[0];
    const unsigned count = coordinates_of[i.texture_shape];
    if (s.printing()) {
      std::string text;
      for (unsigned place = 0; place < count; ++place)
        text += (place != 0 ? ":" : "") + register_text(o.index + place, 1);
      return s.emit(text);
    }
    std::uint8_t mask = 0;
    if (!parse_register_list(s.peek(), count, o.index, mask) || mask != (1u << count) - 1)
      return s.fail(std::to_string(count) + " coordinates such as $r0:$r1 expected");
    o.kind = operand_kind::gpr;
    o.words = static_cast<std::uint8_t>(count);
    s.advance();
  };
  return e;
}

element numbered(const char* prefix, bit_field bits, std::uint32_t (*get)(const instruction&),
                 void (*set)(instruction&, std::uint32_t)) {
  element e = number(bits, get, set);
  e.word = prefix;
  e.text = [](const element& self, instruction& i, text_stream& s, std::string&) {
    const std::string_view start = self.word;
    if (s.printing()) return s.emit(std::string(start) + std::to_string(self.get(i)));
    const std::string_view token = s.peek();
    const auto value =
        token.substr(0, start.size()) == start ? parse_number(token.substr(start.size())) : std::nullopt;
    if (!value || *value < 0 || *value >= std::int64_t{1} << self.field.total_width())
      return s.fail(std::string(start) + "0 .. " + std::string(start) +
                    std::to_string((1u << self.field.total_width()) - 1) + " expected");
    self.set(i, static_cast<std::uint32_t>(*value));
    s.advance();
  };
  return e;
}

}  // namespace gt200::isa::fermi
