#include "toolchain/launch/expression.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <limits>

namespace gt200::launch {
namespace {

// Recursive descent. The depth limit keeps a line of ten thousand '(' from overflowing the call stack.
class evaluator {
 public:
  evaluator(std::string_view text, const named_values& names) : text_(text), names_(names) {}

  std::optional<std::int64_t> run(std::string& reason) {
    const std::int64_t value = sum(0);
    skip_blanks();
    if (reason_.empty() && position_ != text_.size()) fail(fmt::format("unexpected '{}'", text_[position_]));
    if (reason_.empty()) return value;
    reason = fmt::format("in \"{}\": {}", text_, reason_);
    return std::nullopt;
  }

 private:
  static constexpr int max_depth = 64;
  static constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();

  void fail(std::string reason) {
    if (reason_.empty()) reason_ = std::move(reason);
    position_ = text_.size();
  }
  void skip_blanks() {
    while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\t')) ++position_;
  }
  char peek() {
    skip_blanks();
    return position_ < text_.size() ? text_[position_] : '\0';
  }

  std::int64_t combine(char op, std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    bool overflow = false;
    switch (op) {
      case '+': overflow = __builtin_add_overflow(a, b, &result); break;
      case '-': overflow = __builtin_sub_overflow(a, b, &result); break;
      case '*': overflow = __builtin_mul_overflow(a, b, &result); break;
      default:
        if (b == 0) {
          fail("division by zero");
          return 0;
        }
        overflow = a == lowest && b == -1;
        if (!overflow) result = op == '/' ? a / b : a % b;
    }
    if (overflow) fail("the value does not fit 64 bits");
    return result;
  }

  std::int64_t sum(int depth) {
    std::int64_t value = product(depth);
    for (char op = peek(); op == '+' || op == '-'; op = peek()) {
      ++position_;
      value = combine(op, value, product(depth));
    }
    return value;
  }

  std::int64_t product(int depth) {
    std::int64_t value = factor(depth);
    for (char op = peek(); op == '*' || op == '/' || op == '%'; op = peek()) {
      ++position_;
      value = combine(op, value, factor(depth));
    }
    return value;
  }

  std::int64_t factor(int depth) {
    const char c = peek();
    if (depth > max_depth) {
      fail("nested too deeply");
    } else if (c == '-') {
      ++position_;
      return combine('-', 0, factor(depth + 1));
    } else if (c == '(') {
      ++position_;
      const std::int64_t value = sum(depth + 1);
      if (peek() != ')') fail("')' is missing");
      if (position_ < text_.size()) ++position_;
      return value;
    } else if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
      return name_or_number();
    } else {
      fail(c == '\0' ? "a value is missing" : fmt::format("unexpected '{}'", c));
    }
    return 0;
  }

  std::int64_t name_or_number() {
    const std::size_t start = position_;
    while (position_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[position_])) != 0 || text_[position_] == '_'))
      ++position_;
    const std::string_view word = text_.substr(start, position_ - start);
    if (std::isdigit(static_cast<unsigned char>(word[0])) == 0) {
      const auto found = names_.find(word);
      if (found != names_.end()) return found->second;
      fail(fmt::format("there is no parameter '{}'", word));
      return 0;
    }
    const bool hexadecimal = word.size() > 2 && word[0] == '0' && (word[1] == 'x' || word[1] == 'X');
    const char* last = word.data() + word.size();
    std::uint64_t value = 0;
    const auto result = std::from_chars(word.data() + (hexadecimal ? 2 : 0), last, value, hexadecimal ? 16 : 10);
    if (result.ec != std::errc() || result.ptr != last) fail(fmt::format("'{}' is not a 64-bit number", word));
    // Hexadecimal digits are a bit pattern; decimal numbers are signed.
    if (!hexadecimal && value > std::numeric_limits<std::int64_t>::max())
      fail(fmt::format("'{}' is more than 2^63 - 1; write bit patterns in hexadecimal", word));
    return static_cast<std::int64_t>(value);
  }

  std::string_view text_;
  const named_values& names_;
  std::size_t position_ = 0;
  std::string reason_;
};

}  // namespace

std::optional<std::int64_t> evaluate(std::string_view text, const named_values& names, std::string& reason) {
  return evaluator(text, names).run(reason);
}

}  // namespace gt200::launch
