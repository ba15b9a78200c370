// Splits a line of assembly source into labels and text, without interpreting them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gt200::assembler {

struct source_text {
  unsigned number = 0;              // 1 for the first line
  std::vector<std::string> labels;  // `name:` at the start of the line, usually none or one
  std::string text;                 // instruction or directive, without comment and outer blanks; may be empty
  bool is_directive() const { return !text.empty() && text.front() == '.'; }
};

// Line ends may be LF or CRLF. A comment starts with `//`.
std::vector<source_text> split_source(std::string_view text);

// Blank-separated words of a directive.
std::vector<std::string> split_words(std::string_view text);

// Names of labels, symbols and constants: letters, digits, '_' and '.', not starting with a digit or '.'.
bool is_identifier(std::string_view text);

}  // namespace gt200::assembler
