#include "toolchain/assembler/symbols.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <charconv>
#include <cstring>
#include <utility>

#include "toolchain/real_number.h"

namespace gt200::assembler {
namespace {

constexpr std::array<std::pair<std::string_view, std::int64_t>, 8> header_symbols = {{{"%gridid", 0x0},
                                                                                      {"%ntid.x", 0x2},
                                                                                      {"%ntid.y", 0x4},
                                                                                      {"%ntid.z", 0x6},
                                                                                      {"%nctaid.x", 0x8},
                                                                                      {"%nctaid.y", 0xa},
                                                                                      {"%ctaid.x", 0xc},
                                                                                      {"%ctaid.y", 0xe}}};

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '%'; }
bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string hex(std::int64_t value) {
  return value < 0 ? fmt::format("-0x{:x}", -static_cast<std::uint64_t>(value)) : fmt::format("0x{:x}", value);
}

bool has_name(std::string_view text) {
  bool in_word = false;
  for (const char c : text) {
    if (!in_word && starts_name(c)) return true;
    in_word = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '$' || c == '_';
  }
  return false;
}

// "1.5", "-2.", "1.0e-3": digits with a point, so that it cannot be an integer or a mnemonic.
std::optional<float> parse_float_word(std::string_view word) {
  const std::string_view digits = word.substr(word.find_first_not_of("+-") == 1 ? 1 : 0);
  if (digits.empty() || std::isdigit(static_cast<unsigned char>(digits[0])) == 0 ||
      digits.find('.') == std::string_view::npos)
    return std::nullopt;
  const real_number<float> read = whole_real<float>(digits);
  if (read.length == 0 || read.is_too_large) return std::nullopt;
  return word[0] == '-' ? -read.value : read.value;
}

}  // namespace

std::optional<std::int64_t> parse_integer(std::string_view text) {
  const bool negative = !text.empty() && text[0] == '-';
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    base = 16;
    text.remove_prefix(2);
  }
  std::uint64_t value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || result.ec != std::errc() || result.ptr != text.data() + text.size()) return std::nullopt;
  return static_cast<std::int64_t>(negative ? -value : value);
}

bool symbol_table::define(const std::string& name, const std::string& space, std::int64_t value) {
  return symbols_.emplace(name, symbol{space, value}).second;
}

std::optional<std::int64_t> symbol_table::find(std::string_view name, std::string_view space) const {
  if (space == "s")
    for (const auto& [header_name, offset] : header_symbols)
      if (name == header_name) return offset;
  const auto found = symbols_.find(name);
  if (found == symbols_.end() || (found->second.space != space && !found->second.space.empty()))
    return std::nullopt;
  return found->second.value;
}

std::optional<std::int64_t> symbol_table::find_anywhere(std::string_view name) const {
  if (const auto value = find(name, "s")) return value;
  const auto found = symbols_.find(name);
  if (found == symbols_.end()) return std::nullopt;
  return found->second.value;
}

std::optional<std::int64_t> symbol_table::sum(std::string_view terms, std::string_view space, bool any_space,
                                              std::string& reason) const {
  constexpr std::int64_t largest = UINT32_MAX;
  std::int64_t total = 0;
  std::size_t position = 0;
  while (position < terms.size()) {
    bool negative = false;
    if (terms[position] == '+' || terms[position] == '-') negative = terms[position++] == '-';
    const std::size_t end = std::min(terms.find_first_of("+-", position), terms.size());
    const std::string_view term = terms.substr(position, end - position);
    position = end;
    const bool named = !term.empty() && starts_name(term[0]);
    const auto value = !named ? parse_integer(term) : any_space ? find_anywhere(term) : find(term, space);
    if (!value) {
      if (!named)
        reason = fmt::format("'{}' is not a number", term);
      else if (!any_space && find_anywhere(term))
        reason = fmt::format("'{}' is not in {}[]", term, space);
      else
        reason = fmt::format("'{}' is not defined", term);
      return std::nullopt;
    }
    // A term has no sign of its own: a negative number is one of 64 bits.
    if (*value > largest || *value < (named ? INT32_MIN : 0)) {
      reason = fmt::format("'{}' has more than 32 bits", term);
      return std::nullopt;
    }
    total += negative ? -*value : *value;
  }
  if (total < INT32_MIN || total > largest) {
    reason = fmt::format("'{}' has more than 32 bits", terms);
    return std::nullopt;
  }
  return total;
}

std::optional<std::string> symbol_table::resolve_address(std::string_view inner, std::string_view space,
                                                         std::string& reason) const {
  std::string compact;
  for (const char c : inner)
    if (!is_blank(c)) compact += c;
  if (!has_name(compact)) return compact;
  // A leading address register stays in front: $a1+..., or $a1++... for post-increment.
  std::string prefix;
  std::string_view rest = compact;
  if (rest[0] == '$') {
    const std::size_t end = std::min(rest.find_first_of("+-"), rest.size());
    prefix = std::string(rest.substr(0, end)) + "+";
    rest.remove_prefix(end);
    if (rest.substr(0, 2) == "++") {
      prefix += "+";
      rest.remove_prefix(2);
    }
  }
  const auto value = sum(rest, space, false, reason);
  if (!value) return std::nullopt;
  return prefix + hex(*value);
}

std::optional<std::string> symbol_table::resolve_word(std::string_view word, std::string& reason) const {
  if (word[0] == '@') {
    if (word.size() == 1) {
      reason = "'@' without a name";
      return std::nullopt;
    }
    const auto value = sum(word.substr(1), {}, true, reason);
    if (!value) return std::nullopt;
    return hex(*value);
  }
  if (const auto value = parse_float_word(word)) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &*value, sizeof bits);
    return hex(bits);
  }
  return std::string(word);
}

// Resolves what stands between brackets. `space`: that of a constant; empty for an address in memory.
std::optional<std::string> symbol_table::resolve_group(std::string_view inner, std::string_view space,
                                                       std::string& reason) const {
  std::string compact;
  for (const char c : inner)
    if (!is_blank(c)) compact += c;
  std::string_view rest = compact;
  const std::size_t end = std::min(rest.find_first_of("+-"), rest.size());
  const std::string_view first = rest.substr(0, end);
  const bool has_register = first == "RZ" || (first.size() > 1 && first[0] == 'R' &&
                                              std::isdigit(static_cast<unsigned char>(first[1])) != 0);
  if (has_register) rest.remove_prefix(end);
  if (!has_name(rest)) return compact;
  const auto value = sum(rest, space, space.empty(), reason);
  if (!value) return std::nullopt;
  return (has_register ? std::string(first) + "+" : std::string()) + hex(*value);
}

std::optional<std::string> symbol_table::resolve_names(std::string_view instruction, std::string& reason) const {
  // Control codes, guard and mnemonic have no names.
  std::size_t position = 0;
  const auto skip_blanks = [&] {
    while (position < instruction.size() && is_blank(instruction[position])) ++position;
  };
  skip_blanks();
  if (position < instruction.size() && instruction[position] == '[')
    position = std::min(instruction.find(']', position), instruction.size() - 1) + 1;
  skip_blanks();
  const bool is_guarded = position < instruction.size() && instruction[position] == '@';
  for (unsigned words = is_guarded ? 2 : 1; words > 0; --words) {
    position = std::min(instruction.find_first_of(" \t", position), instruction.size());
    skip_blanks();
  }
  std::string result(instruction.substr(0, position));
  std::string bank;  // of a constant whose offset follows
  while (position < instruction.size()) {
    const char c = instruction[position];
    if (c == '[') {
      const std::size_t close = instruction.find(']', position);
      if (close == std::string_view::npos) {
        reason = "'[' without ']'";
        return std::nullopt;
      }
      const std::string_view inner = instruction.substr(position + 1, close - position - 1);
      const bool is_bank = !result.empty() && result.back() == 'c' && bank.empty();
      if (is_bank) {
        const auto number = parse_integer(inner);
        bank = number ? "c" + std::to_string(*number) : "c";
        result += "[" + std::string(inner) + "]";
      } else {
        const auto resolved = resolve_group(inner, bank, reason);
        if (!resolved) return std::nullopt;
        result += "[" + *resolved + "]";
        bank.clear();
      }
      position = close + 1;
    } else if (starts_name(c)) {
      std::size_t end = position + 1;
      while (end < instruction.size() && (starts_name(instruction[end]) || instruction[end] == '.' ||
                                          std::isdigit(static_cast<unsigned char>(instruction[end])) != 0))
        ++end;
      const std::string_view name = instruction.substr(position, end - position);
      const bool is_constant_bank = end < instruction.size() && instruction[end] == '[';
      const auto value = is_constant_bank ? std::nullopt : find_anywhere(name);
      result += value ? hex(*value) : std::string(name);
      position = end;
    } else {
      // Numbers are copied whole: their letters are no names.
      const bool is_digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
      do result += instruction[position++];
      while (is_digit && position < instruction.size() &&
             std::isalnum(static_cast<unsigned char>(instruction[position])) != 0);
    }
  }
  return result;
}

std::optional<std::string> symbol_table::resolve(std::string_view instruction, std::string& reason) const {
  std::string result;
  std::size_t position = 0;
  while (position < instruction.size()) {
    if (is_blank(instruction[position]) || instruction[position] == '(' || instruction[position] == ')') {
      result += instruction[position++];
      continue;
    }
    const std::size_t end = std::min(instruction.find_first_of(" \t()[", position), instruction.size());
    if (end == instruction.size() || instruction[end] != '[') {
      const auto word = resolve_word(instruction.substr(position, end - position), reason);
      if (!word) return std::nullopt;
      result += *word;
      position = end;
      continue;
    }
    const std::size_t close = instruction.find(']', end);
    if (close == std::string_view::npos) {
      reason = "'[' without ']'";
      return std::nullopt;
    }
    const std::string_view space = instruction.substr(position, end - position);
    const auto address = resolve_address(instruction.substr(end + 1, close - end - 1), space, reason);
    if (!address) return std::nullopt;
    result += std::string(space) + "[" + *address + "]";
    position = close + 1;
  }
  return result;
}

}  // namespace gt200::assembler
