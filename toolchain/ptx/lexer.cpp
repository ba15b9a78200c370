#include "toolchain/ptx/lexer.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "toolchain/error.h"
#include "toolchain/isa/common/text_stream.h"
#include "toolchain/real_number.h"

namespace gt200::ptx {
namespace {

constexpr std::size_t max_line_kept = 200;
constexpr std::size_t max_line_shown = 80;
// Begins a line of debug information in PTX up to 1.4.
constexpr std::string_view dwarf_mark = "@@DWARF";

bool starts_word(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%';
}
bool continues_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%';
}

class lexer {
 public:
  lexer(std::string_view content, const source_file& file) : text_(content), file_(file) {}

  std::vector<token> run() {
    std::vector<token> tokens;
    for (;;) {
      skip_blanks();
      after_number_ = !tokens.empty() && tokens.back().kind == token_kind::integer;
      after_bracket_ = !tokens.empty() && tokens.back().kind == token_kind::symbol && tokens.back().text == ")";
      token t = next();
      tokens.push_back(t);
      if (t.kind == token_kind::end) return tokens;
    }
  }

 private:
  char at(std::size_t ahead = 0) const {
    return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
  }
  bool finished() const { return position_ >= text_.size(); }
  location here() const { return {line_, static_cast<unsigned>(position_ - line_start_ + 1)}; }

  void advance() {
    if (at() == '\n') {
      ++line_;
      line_start_ = position_ + 1;
    }
    ++position_;
  }

  void skip_blanks() {
    while (!finished()) {
      if (std::isspace(static_cast<unsigned char>(at())) != 0) {
        advance();
      } else if ((at() == '/' && at(1) == '/') || text_.compare(position_, dwarf_mark.size(), dwarf_mark) == 0) {
        while (!finished() && at() != '\n') advance();
      } else if (at() == '/' && at(1) == '*') {
        const location start = here();
        while (!finished() && !(at() == '*' && at(1) == '/')) advance();
        if (finished()) file_.fail(start, "comment without end");
        advance();
        advance();
      } else {
        return;
      }
    }
  }

  // % behind a number or a bracket; elsewhere it begins the name of a register.
  bool is_remainder() const {
    if (at() != '%' || after_number_) return at() == '%';
    return after_bracket_ && (!starts_word(at(1)) || text_.compare(position_ + 1, 7, "WARP_SZ") == 0);
  }

  token next() {
    token t;
    t.where = here();
    if (finished()) return t;
    const char c = at();
    if ((starts_word(c) && !is_remainder()) || (c == '.' && starts_word(at(1)))) {
      word(t);
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      number(t);
    } else if (c == '"') {
      quoted(t);
    } else if (std::strchr("{}[]()<>,;:@!|+-=&*/%^~?", c) != nullptr) {
      t.kind = token_kind::symbol;
      t.text = c;
      advance();
      static constexpr const char* pairs[] = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};
      for (const char* pair : pairs)
        if (c == pair[0] && at() == pair[1]) {
          t.text = pair;
          advance();
          break;
        }
    } else {
      file_.fail(t.where, "this character has no meaning in PTX");
    }
    return t;
  }

  void word(token& t) {
    t.kind = token_kind::word;
    const std::size_t start = position_;
    advance();
    while (continues_word(at()) || (at() == '.' && continues_word(at(1))) || (at() == ':' && at(1) == ':')) {
      if (at() == ':') advance();
      advance();
    }
    t.text = text_.substr(start, position_ - start);
  }

  void quoted(token& t) {
    t.kind = token_kind::text;
    advance();
    const std::size_t start = position_;
    while (!finished() && at() != '"' && at() != '\n') advance();
    if (at() != '"') file_.fail(t.where, "text without closing quote");
    t.text = text_.substr(start, position_ - start);
    advance();
  }

  void number(token& t) {
    const std::size_t start = position_;
    const char mark = at(1);
    if (at() == '0' && std::strchr("fFdD", mark) != nullptr && mark != '\0') {
      const bool is_double = mark == 'd' || mark == 'D';
      advance();
      advance();
      hex_digits(t, is_double ? 16 : 8);
      t.kind = is_double ? token_kind::f64_bits : token_kind::f32_bits;
    } else {
      bool is_real = false;
      const bool hex = at() == '0' && (mark == 'x' || mark == 'X');
      while (
          (continues_word(at()) && at() != '%') || at() == '.' ||
          ((at() == '+' || at() == '-') && !hex && (text_[position_ - 1] == 'e' || text_[position_ - 1] == 'E'))) {
        if (at() == '.' || (!hex && (at() == 'e' || at() == 'E'))) is_real = true;
        advance();
      }
      std::string digits(text_.substr(start, position_ - start));
      char* end = nullptr;
      errno = 0;
      if (is_real) {
        const real_number<double> read = read_real<double>(digits);
        std::memcpy(&t.value, &read.value, sizeof read.value);
        end = digits.data() + read.length;
        t.kind = token_kind::f64_bits;
      } else {
        while (digits.size() > 1 && (digits.back() == 'U' || digits.back() == 'u')) {
          digits.pop_back();
          t.is_unsigned = true;
        }
        const bool binary = mark == 'b' || mark == 'B';
        t.value = binary ? std::strtoull(digits.c_str() + 2, &end, 2) : std::strtoull(digits.c_str(), &end, 0);
        t.kind = token_kind::integer;
        t.is_unsigned = t.is_unsigned || t.value >> 63 != 0;
        if (errno == ERANGE) file_.fail(t.where, "the number needs more than 64 bits");
      }
      if (end == nullptr || *end != '\0') file_.fail(t.where, "malformed number '" + digits + "'");
    }
    t.text = text_.substr(start, position_ - start);
  }

  void hex_digits(token& t, unsigned count) {
    for (unsigned k = 0; k < count; ++k) {
      if (std::isxdigit(static_cast<unsigned char>(at())) == 0)
        file_.fail(here(), "expected " + std::to_string(count) + " hexadecimal digits");
      t.value = t.value << 4 | std::strtoull(std::string(1, at()).c_str(), nullptr, 16);
      advance();
    }
  }

  std::string_view text_;
  const source_file& file_;
  std::size_t position_ = 0;
  std::size_t line_start_ = 0;
  unsigned line_ = 1;
  bool after_number_ = false;  // where the last token ended
  bool after_bracket_ = false;
};

}  // namespace

source_file::source_file(std::string name, std::string_view content, bool generated)
    : name_(std::move(name)), generated_(generated) {
  std::size_t start = 0;
  while (start <= content.size()) {
    const std::size_t end = std::min(content.find('\n', start), content.size());
    lines_.emplace_back(content.substr(start, std::min(end - start, max_line_kept)));
    start = end + 1;
  }
  if (!generated_) return;
  const std::string end_of_path = name_.substr(name_.find_last_of('/') + 1) + "\"";
  for (const std::string& line : lines_) {
    unsigned number = 0;
    if (std::sscanf(line.c_str(), " .file %u", &number) == 1 && line.find(end_of_path) != std::string::npos)
      number_ = number;
  }
}

std::string source_file::place(location where) const {
  if (!generated_) return name_ + ":" + std::to_string(where.line) + ":" + std::to_string(where.column);
  for (std::size_t k = std::min<std::size_t>(where.line, lines_.size()); k-- > 0;) {
    unsigned number = 0;
    unsigned line = 0;
    if (std::sscanf(lines_[k].c_str(), " .loc %u %u", &number, &line) == 2 && has_number(number))
      return name_ + ":" + std::to_string(line);
  }
  return name_;
}

void source_file::fail(location where, const std::string& reason) const {
  std::string text = place(where) + ": " + isa::readable(reason);
  if (where.line > 0 && where.line <= lines_.size()) {
    const std::string& line = lines_[where.line - 1];
    const std::size_t first = line.find_first_not_of(" \t");
    const std::size_t last = line.find_last_not_of(" \t\r");
    if (first != std::string::npos) {
      const std::size_t length = last - first + 1;
      text += ": " + isa::readable(line.substr(first, std::min(length, max_line_shown)));
      if (length > max_line_shown) text += "...";
    }
  }
  throw input_error(text);
}

std::vector<token> split_tokens(std::string_view content, const source_file& file) {
  return lexer(content, file).run();
}

}  // namespace gt200::ptx
