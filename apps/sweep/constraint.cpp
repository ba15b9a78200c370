#include "apps/sweep/constraint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>
#include <variant>

#include "toolchain/error.h"

namespace gt200::apps::sweep {
namespace {

struct value {
  std::variant<double, std::string> content;
  bool of_mixed_axis = false;

  value(double number) : content(number) {}              // NOLINT(google-explicit-constructor)
  value(std::string text) : content(std::move(text)) {}  // NOLINT(google-explicit-constructor)
  value(std::variant<double, std::string> c, bool mixed) : content(std::move(c)), of_mixed_axis(mixed) {}
  bool is_number() const { return content.index() == 0; }
};

std::variant<double, std::string> content_from(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (!text.empty() && error == std::errc() && end == text.data() + text.size() && std::isfinite(number))
    return number;
  return text;
}

std::string shown(const value& of) {
  if (const auto* number = std::get_if<double>(&of.content)) return fmt::format("the number {}", *number);
  return fmt::format("the text '{}'", std::get<std::string>(of.content));
}

// Recursive descent. Both sides of || and && are computed, so that a wrong name never hides.
class evaluator {
 public:
  evaluator(const std::string& text, const values_of_axes& values) : text_(text), values_(values) {}

  bool run() {
    const bool result = truth(either(0));
    if (skip_blanks(), position_ != text_.size()) fail(fmt::format("unexpected '{}'", text_[position_]));
    return result;
  }

 private:
  static constexpr int max_depth = 64;

  [[noreturn]] void fail(const std::string& reason) const {
    throw input_error(fmt::format("constraint \"{}\": {}", text_, reason));
  }
  void skip_blanks() {
    while (position_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[position_])) != 0) ++position_;
  }
  bool take(std::string_view symbol) {
    skip_blanks();
    if (text_.compare(position_, symbol.size(), symbol) != 0) return false;
    position_ += symbol.size();
    return true;
  }

  double number(const value& of) const {
    if (const auto* n = std::get_if<double>(&of.content)) return *n;
    fail(fmt::format("'{}' is no number", std::get<std::string>(of.content)));
  }
  bool truth(const value& of) const {
    if (const auto* text = std::get_if<std::string>(&of.content)) {
      if (*text == "true") return true;
      if (*text == "false") return false;
      fail(fmt::format("'{}' is neither true nor false", *text));
    }
    return std::get<double>(of.content) != 0;
  }
  static value of_truth(bool holds) { return holds ? 1.0 : 0.0; }

  value either(int depth) {
    value left = both(depth);
    while (take("||")) {
      const bool right = truth(both(depth));
      left = of_truth(truth(left) || right);
    }
    return left;
  }
  value both(int depth) {
    value left = comparison(depth);
    while (take("&&")) {
      const bool right = truth(comparison(depth));
      left = of_truth(truth(left) && right);
    }
    return left;
  }
  value comparison(int depth) {
    const value left = sum(depth);
    for (const char* symbol : {"==", "!=", "<=", ">=", "<", ">"}) {
      if (!take(symbol)) continue;
      const value right = sum(depth);
      return of_truth(compare(symbol, left, right));
    }
    return left;
  }
  bool compare(std::string_view symbol, const value& left, const value& right) const {
    if (symbol == "==" || symbol == "!=") {
      if (left.is_number() != right.is_number() && !left.of_mixed_axis && !right.of_mixed_axis)
        fail(fmt::format("{} is compared with {}", shown(left), shown(right)));
      return (left.content == right.content) == (symbol == "==");
    }
    const double a = number(left), b = number(right);
    if (symbol == "<=") return a <= b;
    if (symbol == ">=") return a >= b;
    return symbol == "<" ? a < b : a > b;
  }
  value sum(int depth) {
    value left = product(depth);
    while (true) {
      if (take("+"))
        left = number(left) + number(product(depth));
      else if (take("-"))
        left = number(left) - number(product(depth));
      else
        return left;
    }
  }
  value product(int depth) {
    value left = factor(depth);
    while (true) {
      if (take("*")) {
        left = number(left) * number(factor(depth));
      } else if (take("/")) {
        left = number(left) / divisor(depth);
      } else if (take("%")) {
        const double a = number(left), b = divisor(depth);
        if (a != std::floor(a) || b != std::floor(b)) fail("% takes whole numbers");
        left = std::fmod(a, b);
      } else {
        return left;
      }
    }
  }
  double divisor(int depth) {
    const double result = number(factor(depth));
    if (result == 0) fail("division by zero");
    return result;
  }
  value factor(int depth) {
    if (depth > max_depth) fail("too many brackets");
    skip_blanks();
    if (position_ == text_.size()) fail("it ends where a value is expected");
    if (take("!")) return of_truth(!truth(factor(depth + 1)));
    if (take("-")) return -number(factor(depth + 1));
    if (take("(")) {
      value inner = either(depth + 1);
      if (!take(")")) fail("a ')' is missing");
      return inner;
    }
    const char c = text_[position_];
    if (c == '\'' || c == '"') return quoted(c);
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.') return literal();
    if (std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_') return named();
    fail(fmt::format("unexpected '{}'", c));
  }
  value quoted(char quote) {
    const std::size_t end = text_.find(quote, position_ + 1);
    if (end == std::string::npos) fail("a text has no end");
    std::string inner = text_.substr(position_ + 1, end - position_ - 1);
    position_ = end + 1;
    return inner;
  }
  value literal() {
    double result = 0;
    const char* const begin = text_.data() + position_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), result);
    if (error != std::errc()) fail("a number is malformed");
    position_ += static_cast<std::size_t>(end - begin);
    return result;
  }
  value named() {
    const std::size_t begin = position_;
    const auto belongs = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.'; };
    while (position_ < text_.size() && belongs(static_cast<unsigned char>(text_[position_]))) ++position_;
    const std::string name = text_.substr(begin, position_ - begin);
    if (name == "true" || name == "false") return name;
    try {
      const axis_value found = values_(name);
      return {content_from(found.text), found.kind == kind_of_values::both};
    } catch (const input_error& error) {
      fail(error.what());
    }
  }

  const std::string& text_;
  const values_of_axes& values_;
  std::size_t position_ = 0;
};

}  // namespace

kind_of_values kind_of(const std::vector<std::string>& values) {
  const auto is_number = [](const std::string& text) { return content_from(text).index() == 0; };
  if (std::all_of(values.begin(), values.end(), is_number)) return kind_of_values::numbers;
  return std::none_of(values.begin(), values.end(), is_number) ? kind_of_values::texts : kind_of_values::both;
}

bool holds(const std::string& expression, const values_of_axes& values) {
  return evaluator(expression, values).run();
}

}  // namespace gt200::apps::sweep
