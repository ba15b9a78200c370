#include "testbenches/toolchain/ptx/second_reading/reading.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <stdexcept>

namespace gt200::second_reading {
namespace {

bool in_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%';
}

std::vector<std::string> divided(std::string_view text, char at) {
  std::vector<std::string> pieces(1);
  for (const char c : text)
    if (c == at)
      pieces.emplace_back();
    else
      pieces.back() += c;
  return pieces;
}

class scanner {
 public:
  explicit scanner(std::string_view text) : text_(text) {}

  std::vector<instruction> all() {
    std::vector<instruction> found;
    while (skip(), at_ < text_.size()) found.push_back(one());
    return found;
  }

 private:
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  char next() {
    skip();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (next() != c) return false;
    ++at_;
    return true;
  }
  void need(char c) {
    if (!take(c)) throw std::runtime_error("second reading: expected " + std::string(1, c) + " in " + text_);
  }
  std::string name(bool with_dots) {
    skip();
    const std::size_t start = at_;
    while (at_ < text_.size() && (in_name(text_[at_]) || (with_dots && text_[at_] == '.'))) ++at_;
    return text_.substr(start, at_ - start);
  }

  instruction one() {
    instruction i;
    if (take('@')) {
      i.guard_inverted = take('!');
      i.guard = name(false);
    }
    i.words = divided(name(true), '.');
    while (!take(';')) {
      i.arguments.push_back(operand());
      if (next() != ';') need(',');
    }
    return i;
  }

  argument operand() {
    argument a;
    if (take('{')) {
      a.what = argument::kind::group;
      do {
        a.parts.push_back(operand());
      } while (take(','));
      need('}');
      return a;
    }
    if (begins_expression()) {
      a = expression(0);
      return a;
    }
    a.inverted = take('!');
    a.minus = take('-');
    a.what = argument::kind::reg;
    std::vector<std::string> pieces = divided(name(true), '.');
    const auto is_part = [](const std::string& piece) {
      return piece.size() >= 2 && (piece[0] == 'b' || piece[0] == 'h') && std::isdigit(piece[1]) != 0;
    };
    a.name = pieces[0];
    for (std::size_t k = 1; k < pieces.size(); ++k)
      if (is_part(pieces[k]))
        a.part = pieces[k];
      else
        a.name += "." + pieces[k];
    if (take('|')) a.other = name(false);
    return a;
  }

  // Signs and brackets, then a digit or the size of a warp.
  bool begins_expression() {
    next();
    std::size_t k = at_;
    while (k < text_.size() && std::strchr("!-~( ", text_[k]) != nullptr) ++k;
    return std::isdigit(static_cast<unsigned char>(text_[k])) != 0 || text_.compare(k, 7, "WARP_SZ") == 0;
  }

  // Numbers and the operators of C, each with its level.
  argument expression(int least) {
    static constexpr std::pair<const char*, int> operators[] = {{"<<", 8}, {">>", 8}, {"|", 3},  {"^", 4},
                                                                {"&", 5},  {"<", 7},  {">", 7},  {"+", 9},
                                                                {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};
    argument left = term();
    for (bool found = true; found;) {
      found = false;
      next();
      for (const auto& [text, level] : operators) {
        const std::size_t length = std::strlen(text);
        if (level <= least || text_.compare(at_, length, text) != 0) continue;
        at_ += length;
        left = joined(text, left, expression(level));
        found = true;
        break;
      }
    }
    if (least == 0 && take('?')) {
      const argument first = expression(0);
      need(':');
      const argument second = expression(0);
      return left.bits != 0 ? first : second;
    }
    return left;
  }

  argument term() {
    argument a;
    if (take('(')) {
      a = expression(0);
      need(')');
      return a;
    }
    if (take('!') || take('~')) {
      const char op = text_[at_ - 1];
      a = term();
      a.bits = op == '!' ? (a.bits == 0 ? 1 : 0) : ~a.bits;
      return a;
    }
    if (take('-')) {
      a = term();
      a.bits = a.what == argument::kind::integer  ? 0 - a.bits
               : a.what == argument::kind::real32 ? a.bits ^ 0x80000000
                                                  : a.bits ^ std::uint64_t{1} << 63;
      return a;
    }
    next();
    if (text_.compare(at_, 7, "WARP_SZ") == 0) {
      at_ += 7;
      a.bits = 32;
      return a;
    }
    number(a);
    return a;
  }

  static argument joined(const std::string& op, const argument& x, const argument& y) {
    argument r;
    if (x.what == argument::kind::real64) {
      double a = 0;
      double b = 0;
      std::memcpy(&a, &x.bits, sizeof a);
      std::memcpy(&b, &y.bits, sizeof b);
      const double value = op == "/" ? a / b : op == "*" ? a * b : op == "+" ? a + b : a - b;
      r.what = argument::kind::real64;
      std::memcpy(&r.bits, &value, sizeof value);
      return r;
    }
    const auto a = static_cast<std::int64_t>(x.bits);
    const auto b = static_cast<std::int64_t>(y.bits);
    const std::int64_t value = op == "<<"   ? a * (std::int64_t{1} << b)
                               : op == ">>" ? a >> b
                               : op == "|"  ? a | b
                               : op == "^"  ? a ^ b
                               : op == "&"  ? a & b
                               : op == "<"  ? a < b
                               : op == ">"  ? a > b
                               : op == "+"  ? a + b
                               : op == "-"  ? a - b
                               : op == "*"  ? a * b
                               : op == "/"  ? a / b
                                            : a % b;
    r.bits = static_cast<std::uint64_t>(value);
    return r;
  }

  void number(argument& a) {
    skip();
    const std::size_t start = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '.'))
      ++at_;
    std::string digits = text_.substr(start, at_ - start);
    const auto signed_part = [&] {  // 1e-3
      if ((digits.back() == 'e' || digits.back() == 'E') && (next() == '-' || next() == '+')) {
        digits += text_[at_++];
        digits += name(false);
      }
    };
    const char mark = digits.size() > 1 && digits[0] == '0' ? static_cast<char>(std::tolower(digits[1])) : '\0';
    if (mark == 'f' || mark == 'd') {
      a.what = mark == 'f' ? argument::kind::real32 : argument::kind::real64;
      a.bits = std::stoull(digits.substr(2), nullptr, 16);
    } else if (mark == 'x') {
      a.bits = std::stoull(digits, nullptr, 16);
    } else if (mark == 'b') {
      a.bits = std::stoull(digits.substr(2), nullptr, 2);
    } else if (digits.find_first_of(".eE") != std::string::npos) {
      signed_part();
      const double value = std::stod(digits);
      a.what = argument::kind::real64;
      std::memcpy(&a.bits, &value, sizeof value);
    } else {
      a.bits = std::stoull(digits, nullptr, mark != '\0' ? 8 : 10);
    }
  }

  std::string text_;
  std::size_t at_ = 0;
};

}  // namespace

bool instruction::has(std::string_view word) const {
  return std::find(words.begin(), words.end(), word) != words.end();
}

number_type type_named(std::string_view word) {
  if (word == "pred") return {'p', 1};
  if (word == "f16x2") return {'b', 32};
  if (word.size() < 2 || std::strchr("busf", word[0]) == nullptr) return {};
  for (const unsigned bits : {8u, 16u, 32u, 64u})
    if (word.substr(1) == std::to_string(bits)) return {word[0], bits};
  return {};
}

std::vector<instruction> read(std::string_view text) { return scanner(text).all(); }

}  // namespace gt200::second_reading
