#include "toolchain/isa/volta/line_text.h"

namespace gt200::isa::volta {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

void skip_blanks(std::string_view& text) {
  while (!text.empty() && is_blank(text[0])) text.remove_prefix(1);
}

std::vector<std::string> split_operands(std::string_view text) {
  std::vector<std::string> operands;
  std::string current;
  unsigned depth = 0;
  const auto flush = [&] {
    if (!current.empty()) operands.push_back(std::move(current));
    current.clear();
  };
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (c == '[' || c == '{') {
      // "c[0x2] [0x8]" is one operand.
      const bool continues = c == '[' && depth == 0 && current.empty() && !operands.empty() && k > 0 &&
                             operands.back().back() == ']' && text.substr(0, k).find_last_not_of(" \t") != k - 1 &&
                             text[text.substr(0, k).find_last_not_of(" \t")] == ']';
      if (continues) {
        current = std::move(operands.back());
        operands.pop_back();
      }
      ++depth;
    }
    if ((c == ']' || c == '}') && depth != 0) --depth;
    if (is_blank(c) || (c == ',' && depth == 0)) {
      if (depth == 0) flush();
      continue;
    }
    current += c;
  }
  flush();
  return operands;
}

}  // namespace

line_parts take_apart(std::string_view line) {
  line_parts parts;
  if (const std::size_t end = line.find(';'); end != std::string_view::npos) line = line.substr(0, end);
  skip_blanks(line);
  if (!line.empty() && line[0] == '[') {
    const std::size_t close = line.find(']');
    const std::size_t count = close == std::string_view::npos ? line.size() : close + 1;
    parts.control = line.substr(0, count);
    line.remove_prefix(count);
    skip_blanks(line);
  }
  const auto take_word = [&line] {
    std::size_t end = 0;
    while (end < line.size() && !is_blank(line[end])) ++end;
    const std::string_view word = line.substr(0, end);
    line.remove_prefix(end);
    skip_blanks(line);
    return word;
  };
  if (!line.empty() && line[0] == '@') {
    parts.guard = take_word().substr(1);
    if (parts.guard.empty()) parts.guard = " ";
  }
  const std::string_view word = take_word();
  const std::size_t point = word.find('.');
  parts.mnemonic = word.substr(0, point);
  if (point != std::string_view::npos) parts.modifiers = word.substr(point);
  parts.operands = split_operands(line);
  return parts;
}

bool line_text::take_modifier(std::string_view word) {
  const std::string_view rest = std::string_view(parts_->modifiers).substr(modifier_);
  if (rest.size() < word.size() + 1 || rest[0] != '.' || rest.substr(1, word.size()) != word) return false;
  const std::size_t end = word.size() + 1;
  if (end < rest.size() && rest[end] != '.') return false;
  modifier_ += end;
  return true;
}

std::string_view line_text::peek_operand(std::size_t ahead) const {
  const std::size_t at = operand_ + ahead;
  return at < parts_->operands.size() ? std::string_view(parts_->operands[at]) : std::string_view();
}

std::string line_text::rest() const {
  if (modifier_ < parts_->modifiers.size()) return parts_->modifiers.substr(modifier_);
  return std::string(peek_operand());
}

}  // namespace gt200::isa::volta
