#include "toolchain/isa/volta/operand_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "toolchain/isa/common/text_stream.h"
#include "toolchain/isa/fermi/semantics/float_value.h"
#include "toolchain/isa/volta/element.h"
#include "toolchain/real_number.h"

namespace gt200::isa::volta {
namespace {

template <class to, class from>
to bits_as(from value) {
  static_assert(sizeof(to) == sizeof(from));
  to result;
  std::memcpy(&result, &value, sizeof result);
  return result;
}

// The shortest decimal that reads back to the same bits; infinities by name, NaNs as bits.
template <class number>
std::string decimal(number value, std::uint32_t bits) {
  if (std::isnan(value)) return hex_number(bits);
  if (std::isinf(value)) return value < 0 ? "-INF" : "+INF";
  std::array<char, 32> text;
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() ? std::string(text.data(), end) : hex_number(bits);
}

// A number that rounds to infinity, which is written by name.
template <class number>
bool is_too_large(std::string_view text) {
  if (!text.empty() && text[0] == '+') text.remove_prefix(1);
  return whole_real<number>(text).is_too_large;
}

template <class number>
std::optional<number> parse_decimal(std::string_view text) {
  if (text == "+INF" || text == "INF") return std::numeric_limits<number>::infinity();
  if (text == "-INF") return -std::numeric_limits<number>::infinity();
  if (!text.empty() && text[0] == '+') text.remove_prefix(1);
  const real_number<number> read = whole_real<number>(text);
  if (read.length == 0 || read.is_too_large) return std::nullopt;
  return read.value;
}

bool is_hex(std::string_view text) {
  if (!text.empty() && text[0] == '-') text.remove_prefix(1);
  return text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X";
}

// A half as the shortest decimal of a float.
std::string half_text(std::uint32_t bits) {
  return decimal(static_cast<float>(fermi::semantics::half_value(bits)), bits);
}

std::string number_text(const operand& o) {
  const auto bits = static_cast<std::uint32_t>(o.value);
  switch (o.form) {
    case immediate_form::integer: return hex_number(bits);
    case immediate_form::signed_integer: return hex_number(o.value);
    case immediate_form::float32: return decimal(bits_as<float>(bits), bits);
    case immediate_form::half_pair: return half_text(bits >> 16) + ", " + half_text(bits & 0xffff);
    case immediate_form::high: return decimal(bits_as<double>(std::uint64_t{bits} << 32), bits);
  }
  return {};
}

bool parse_immediate(std::string_view text, immediate_form form, operand& o) {
  o.kind = operand_kind::immediate;
  o.form = form;
  const bool is_float = form == immediate_form::float32 || form == immediate_form::high;
  if (!is_float || is_hex(text)) {
    const auto value = parse_number(text);
    if (value) o.value = static_cast<std::int32_t>(static_cast<std::uint32_t>(*value));
    return value.has_value();
  }
  if (form == immediate_form::float32) {
    const auto value = parse_decimal<float>(text);
    if (value) o.value = static_cast<std::int32_t>(bits_as<std::uint32_t>(*value));
    return value.has_value();
  }
  const auto value = parse_decimal<double>(text);
  if (!value) return false;
  // A value that needs more than the upper word is rounded to it: printed numbers of listings are not exact.
  const std::uint64_t upper = (bits_as<std::uint64_t>(*value) + 0x80000000u) >> 32;
  o.value = static_cast<std::int32_t>(upper);
  return std::isinf(*value) || !std::isinf(bits_as<double>(upper << 32));
}

constexpr std::array<std::pair<operand_part, const char*>, 7> part_names = {{{operand_part::h1, ".H1"},
                                                                             {operand_part::b1, ".B1"},
                                                                             {operand_part::b2, ".B2"},
                                                                             {operand_part::b3, ".B3"},
                                                                             {operand_part::h0_h0, ".H0_H0"},
                                                                             {operand_part::h1_h1, ".H1_H1"},
                                                                             {operand_part::f32, ".F32"}}};

std::string part_text(operand_part part) {
  for (const auto& [known, name] : part_names)
    if (known == part) return name;
  return "";
}

bool take_end(std::string_view& text, std::string_view end) {
  if (text.size() < end.size() || text.substr(text.size() - end.size()) != end) return false;
  text.remove_suffix(end.size());
  return true;
}

bool parse_register(std::string_view text, std::uint8_t& index) {
  if (text == "RZ") {
    index = zero_register;
    return true;
  }
  if (text.size() < 2 || text.size() > 4 || text[0] != 'R') return false;
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value >= max_gpr) return false;
  index = static_cast<std::uint8_t>(value);
  return true;
}

std::string offset_text(const operand& o) {
  if (o.index == zero_register && !o.reuse) return hex_number(o.value);
  std::string text = register_text(o.index);
  if (o.reuse) text += ".reuse";
  if (o.value != 0) text += "+" + hex_number(o.value);
  return text;
}

// "R2+0x8", "R2+-0x8", "R2-0x8", "0x8", "RZ"
bool parse_offset(std::string_view text, operand& o) {
  o.index = zero_register;
  o.value = 0;
  if (!text.empty() && text[0] == 'R') {
    const std::size_t end = std::min(text.find_first_of("+-"), text.size());
    std::string_view name = text.substr(0, end);
    o.reuse = take_end(name, ".reuse");
    if (!parse_register(name, o.index)) return false;
    text.remove_prefix(end);
    if (text.empty()) return true;
    if (text[0] == '+') text.remove_prefix(1);
  }
  const auto value = parse_number(text);
  if (value) o.value = static_cast<std::int32_t>(static_cast<std::uint32_t>(*value));
  return value.has_value();
}

// c[bank][offset]
bool parse_constant(std::string_view text, operand& o) {
  if (text.substr(0, 2) != "c[" || text.back() != ']') return false;
  const std::size_t middle = text.find("][");
  if (middle == std::string_view::npos) return false;
  const auto bank = parse_number(text.substr(2, middle - 2));
  if (!bank || *bank < 0 || *bank > 31) return false;
  o.kind = operand_kind::constant;
  o.bank = static_cast<std::uint8_t>(*bank);
  return parse_offset(text.substr(middle + 2, text.size() - middle - 3), o);
}

}  // namespace

std::string register_text(std::uint8_t index) {
  return index == zero_register ? "RZ" : "R" + std::to_string(index);
}

std::string operand_text(const operand& o) {
  if (o.kind == operand_kind::immediate) return number_text(o);
  const bool is_constant = o.kind == operand_kind::constant;
  std::string text = is_constant ? "c[" + hex_number(o.bank) + "][" + offset_text(o) + "]" + part_text(o.part)
                                 : register_text(o.index);
  if (o.absolute) text = "|" + text + "|";
  if (o.kind == operand_kind::gpr && o.reuse) text += ".reuse";
  if (!is_constant) text += part_text(o.part);
  if (o.invert) return "~" + text;
  return o.negate ? "-" + text : text;
}

bool parse_operand(std::string_view text, immediate_form form, operand& o, std::string& reason) {
  const std::string whole(text);
  if (text.empty()) {
    reason = "a register, constant or number is missing";
    return false;
  }
  o = {};
  if (parse_immediate(text, form, o)) return true;
  if (form == immediate_form::float32 ? is_too_large<float>(text)
                                      : form == immediate_form::high && is_too_large<double>(text)) {
    reason = "'" + whole + "' is too large for a number of this type; infinity is +INF or -INF";
    return false;
  }
  o = {};
  if (text[0] == '-' || text[0] == '~') {
    (text[0] == '-' ? o.negate : o.invert) = true;
    text.remove_prefix(1);
  }
  for (const auto& [part, name] : part_names)
    if (take_end(text, name)) o.part = part;
  bool is_reused = take_end(text, ".reuse");
  if (text.size() > 2 && text.front() == '|') {
    for (const auto& [part, name] : part_names)
      if (take_end(text, std::string(name) + "|")) o.part = part;
    o.absolute = true;
    text.remove_prefix(1);
    take_end(text, "|");
  }
  is_reused |= take_end(text, ".reuse");
  o.reuse = is_reused;
  if (parse_constant(text, o)) return true;
  o.kind = operand_kind::gpr;
  if (parse_register(text, o.index)) return true;
  reason = "'" + whole + "' is no register, constant or number";
  return false;
}

std::optional<std::uint32_t> parse_half(std::string_view text) {
  if (is_hex(text)) {
    const auto bits = parse_number(text);
    if (!bits || *bits < 0 || *bits > 0xffff) return std::nullopt;
    return static_cast<std::uint32_t>(*bits);
  }
  const auto value = parse_decimal<double>(text);
  if (!value) return std::nullopt;
  const std::uint32_t half = fermi::semantics::to_half(*value, fermi::rounding::nearest);
  if (std::isinf(fermi::semantics::half_value(half)) && !std::isinf(*value)) return std::nullopt;
  return half;
}

std::string memory_text(const operand& o) {
  const bool is_zero = o.index == zero_register && o.value == 0;
  return "[" + (is_zero && !o.reuse ? std::string("RZ") : offset_text(o)) + "]";
}

bool parse_memory(std::string_view text, operand& o) {
  if (text.size() < 3 || text.front() != '[' || text.back() != ']') return false;
  o = {};
  o.kind = operand_kind::memory;
  return parse_offset(text.substr(1, text.size() - 2), o);
}

}  // namespace gt200::isa::volta
