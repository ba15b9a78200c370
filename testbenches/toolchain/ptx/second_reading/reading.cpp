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
    a.inverted = take('!');
    a.minus = take('-');
    if (std::isdigit(static_cast<unsigned char>(next())) != 0) {
      number(a);
      return a;
    }
    a.what = argument::kind::reg;
    std::vector<std::string> pieces = divided(name(true), '.');
    a.name = pieces[0];
    const bool is_part =
        pieces.size() == 2 && pieces[1].size() == 2 && (pieces[1][0] == 'b' || pieces[1][0] == 'h');
    if (is_part)
      a.part = pieces[1];
    else if (pieces.size() == 2)
      a.name += "." + pieces[1];
    if (take('|')) a.other = name(false);
    return a;
  }

  void number(argument& a) {
    std::string digits = name(true);
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
      if (a.minus) a.bits ^= std::uint64_t{1} << (mark == 'f' ? 31 : 63);
    } else if (mark == 'x') {
      a.bits = std::stoull(digits, nullptr, 16);
    } else if (mark == 'b') {
      a.bits = std::stoull(digits.substr(2), nullptr, 2);
    } else if (digits.find_first_of(".eE") != std::string::npos) {
      signed_part();
      const double value = std::stod(digits) * (a.minus ? -1 : 1);
      a.what = argument::kind::real64;
      std::memcpy(&a.bits, &value, sizeof value);
    } else {
      a.bits = std::stoull(digits, nullptr, mark != '\0' ? 8 : 10);
    }
    if (a.what == argument::kind::integer && a.minus) a.bits = 0 - a.bits;
    a.minus = false;
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
