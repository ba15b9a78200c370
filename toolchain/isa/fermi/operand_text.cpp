#include "toolchain/isa/fermi/operand_text.h"

#include <cctype>

namespace gt200::isa::fermi {
namespace {

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

void transfer_register_bits(operand& o, bit_field field, unsigned words, bit_stream& s) {
  if (!s.reading() && o.kind != operand_kind::gpr) return s.fail("a register is needed here");
  o.kind = operand_kind::gpr;
  s.transfer(o.index, field, "register");
  o.words = static_cast<std::uint8_t>(words);
}

std::string constant_text(const operand& o) {
  std::string inside;
  if (o.index != zero_register) inside = register_text(o.index, 1);
  if (inside.empty())
    inside = hex_number(o.value);
  else if (o.value != 0)
    inside += (o.value > 0 ? "+" : "") + hex_number(o.value);
  return "c" + std::to_string(o.bank) + "[" + inside + "]";
}

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

}  // namespace gt200::isa::fermi
