#include "toolchain/assembler/source_line.h"

#include <algorithm>
#include <cctype>

namespace gt200::assembler {
namespace {

constexpr std::string_view blanks = " \t\r\f\v";

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace

std::vector<source_text> split_source(std::string_view text) {
  std::vector<source_text> lines;
  unsigned number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line = trim(line.substr(0, line.find("//")));
    source_text& result = lines.emplace_back();
    result.number = ++number;
    for (std::size_t colon = line.find(':'); colon != std::string_view::npos; colon = line.find(':')) {
      const std::string_view name = trim(line.substr(0, colon));
      if (!is_identifier(name)) break;  // a ':' of an operand list, as in "$r0:$r1"
      result.labels.emplace_back(name);
      line = trim(line.substr(colon + 1));
    }
    result.text = std::string(line);
  }
  return lines;
}

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  for (text = trim(text); !text.empty(); text = trim(text)) {
    const std::size_t end = std::min(text.find_first_of(blanks), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return words;
}

bool is_identifier(std::string_view text) {
  if (text.empty() || text[0] == '.' || std::isdigit(static_cast<unsigned char>(text[0])) != 0) return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
  });
}

}  // namespace gt200::assembler
