#include "toolchain/isa/common/text_stream.h"

#include <utility>

namespace gt200::isa {

std::vector<std::string> tokenize(std::string_view line) {
  std::vector<std::string> tokens;
  std::string current;
  bool inside_brackets = false;
  const auto flush = [&] {
    if (!current.empty()) tokens.push_back(std::exchange(current, {}));
  };
  for (const char c : line) {
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      if (!inside_brackets) flush();
      continue;
    }
    if (!inside_brackets && (c == '(' || c == ')')) {
      flush();
      tokens.emplace_back(1, c);
      continue;
    }
    if (c == '[') inside_brackets = true;
    if (c == ']') inside_brackets = false;
    current += c;
  }
  flush();
  return tokens;
}

std::optional<std::int64_t> parse_number(std::string_view text) {
  bool negative = false;
  if (!text.empty() && text[0] == '-') {
    negative = true;
    text.remove_prefix(1);
  }
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    base = 16;
    text.remove_prefix(2);
  }
  if (text.empty()) return std::nullopt;
  std::int64_t value = 0;
  for (const char c : text) {
    int digit = -1;
    if (c >= '0' && c <= '9') digit = c - '0';
    if (base == 16 && c >= 'a' && c <= 'f') digit = c - 'a' + 10;
    if (base == 16 && c >= 'A' && c <= 'F') digit = c - 'A' + 10;
    if (digit < 0) return std::nullopt;
    value = value * base + digit;
    if (value > 0xffffffffLL) return std::nullopt;
  }
  if (negative && value > 0x80000000LL) return std::nullopt;
  return negative ? -value : value;
}

std::string hex_number(std::int64_t value) {
  const bool negative = value < 0;
  std::uint64_t magnitude = negative ? static_cast<std::uint64_t>(-value) : static_cast<std::uint64_t>(value);
  std::string digits;
  do {
    digits.insert(digits.begin(), "0123456789abcdef"[magnitude & 15]);
    magnitude >>= 4;
  } while (magnitude != 0);
  return (negative ? "-0x" : "0x") + digits;
}

std::string readable(std::string_view text) {
  constexpr std::size_t longest_word = 80;
  std::string shown;
  std::size_t length = 0;  // of the current word; quotes do not count
  for (const char c : text) {
    length = c == ' ' || c == '\'' ? 0 : length + 1;
    if (length > longest_word) {
      if (length == longest_word + 1) shown += "...";
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f)
      shown += c;
    else
      shown += std::string("\\x") + "0123456789abcdef"[byte >> 4] + "0123456789abcdef"[byte & 15];
  }
  return shown;
}

void text_stream::emit(std::string_view token) {
  const bool glue = text_.empty() || text_.back() == '(' || token == ")";
  if (!glue) text_ += ' ';
  text_ += token;
}

std::string_view text_stream::peek(std::size_t ahead) const {
  const std::size_t at = position_ + ahead;
  return at < tokens_->size() ? std::string_view{(*tokens_)[at]} : std::string_view{};
}

void text_stream::literal(std::string_view token) {
  if (printing()) {
    emit(token);
  } else if (peek() == token) {
    advance();
  } else {
    fail("'" + std::string(token) + "' expected" + (at_end() ? "" : " instead of '" + std::string(peek()) + "'"));
  }
}

void text_stream::fail(std::string reason) {
  if (error_.empty()) error_ = std::move(reason);
}

}  // namespace gt200::isa
