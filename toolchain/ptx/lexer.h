// Splits PTX source into tokens. A word may contain dots ("cvt.rn.f32.s32", "%tid.x"); a word that starts with a
// dot is a directive or a type (".reg", ".f32").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gt200::ptx {

struct location {
  unsigned line = 0;  // 1 for the first
  unsigned column = 0;
};

enum class token_kind : std::uint8_t { word, integer, f32_bits, f64_bits, text, symbol, end };

struct token {
  token_kind kind = token_kind::end;
  location where;
  std::string text;          // as written; without the quotes for text
  std::uint64_t value = 0;   // integer, or the bits of a floating-point literal
  bool is_unsigned = false;  // an integer with U, or beyond the largest with a sign
};

// The file's name and lines, for messages. `generated`: the PTX was made from this file, and its .loc directives
// refer to it.
class source_file {
 public:
  source_file(std::string name, std::string_view content, bool generated = false);
  const std::string& name() const { return name_; }
  // True if a .loc with this file number names a line of this file. Headers have lines of their own.
  bool has_number(std::uint64_t number) const { return !generated_ || number == number_; }
  // Throws input_error "file:line:column: reason: offending line"; for generated PTX "file:line: reason: offending
  // line of the PTX".
  [[noreturn]] void fail(location where, const std::string& reason) const;

 private:
  std::string place(location where) const;

  std::string name_;
  bool generated_;
  std::uint64_t number_ = 1;  // of the file, in the .file directives of generated PTX
  std::vector<std::string> lines_;
};

// The last token has the kind `end`. Throws input_error.
std::vector<token> split_tokens(std::string_view content, const source_file& file);

}  // namespace gt200::ptx
