// The words of an assembly line. The same calls print or parse them.
//
// A token is a run of characters without blanks. Blanks inside [...] are dropped; '(' and ')' are tokens.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gt200::isa {

std::vector<std::string> tokenize(std::string_view line);

// "0x1f", "-0x4", decimal, as a 32-bit pattern: -2^31 .. 2^32-1.
std::optional<std::int64_t> parse_number(std::string_view text);
std::string hex_number(std::int64_t value);

// Makes text from outside safe for a message: cuts words at 80 characters and writes bytes that are not printable
// ASCII as \x1b.
std::string readable(std::string_view text);

class text_stream {
 public:
  static text_stream printer() { return text_stream(nullptr); }
  static text_stream parser(const std::vector<std::string>& tokens) { return text_stream(&tokens); }

  bool printing() const { return tokens_ == nullptr; }
  bool ok() const { return error_.empty(); }
  const std::string& error() const { return error_; }

  // Printing.
  void emit(std::string_view token);
  const std::string& text() const { return text_; }

  // Parsing. peek() is empty at the end of the line.
  std::string_view peek(std::size_t ahead = 0) const;
  void advance() { ++position_; }
  std::size_t position() const { return position_; }
  bool at_end() const { return position_ >= tokens_->size(); }

  // Both: prints the token, or requires it.
  void literal(std::string_view token);

  void fail(std::string reason);

 private:
  explicit text_stream(const std::vector<std::string>* tokens) : tokens_(tokens) {}

  const std::vector<std::string>* tokens_;
  std::size_t position_ = 0;
  std::string text_;
  std::string error_;
};

}  // namespace gt200::isa
