// One instruction as text, taken apart: modifiers behind the mnemonic, and operands. The same calls print or parse
// it.
//
//   [B------:R-:W-:-:S02] @!P0 LDG.E.64.SYS R2, [R4+0x8]
//
// Commas or blanks separate operands, a semicolon may end the line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gt200::isa::volta {

// The parts of a line from the front; empty where there is none.
struct line_parts {
  std::string control;    // "[B------:R-:W-:-:S02]"
  std::string guard;      // "!P0"
  std::string mnemonic;   // "LDG"
  std::string modifiers;  // ".E.64.SYS"
  std::vector<std::string> operands;
};
line_parts take_apart(std::string_view line);

class line_text {
 public:
  static line_text printer() { return line_text(nullptr); }
  static line_text parser(const line_parts& parts) { return line_text(&parts); }

  bool printing() const { return parts_ == nullptr; }
  bool ok() const { return error_.empty(); }
  const std::string& error() const { return error_; }

  // Printing.
  void add_modifier(std::string_view word) { modifiers_ += "." + std::string(word); }
  void add_operand(std::string_view text) { operands_ += (operands_.empty() ? " " : ", ") + std::string(text); }
  std::string text() const { return modifiers_ + operands_; }

  // Parsing. take_modifier() takes the next modifiers if they are `word`, which may hold several ("F32.FTZ").
  bool take_modifier(std::string_view word);
  // The next operand; empty if there is none.
  std::string_view peek_operand(std::size_t ahead = 0) const;
  void next_operand() { ++operand_; }
  bool at_end() const { return modifier_ == parts_->modifiers.size() && operand_ >= parts_->operands.size(); }
  std::string rest() const;  // what has not been taken
  // How much has been taken: selects the most useful error.
  std::size_t progress() const { return modifier_ + 100 * operand_; }

  void fail(std::string reason) {
    if (error_.empty()) error_ = std::move(reason);
  }

 private:
  explicit line_text(const line_parts* parts) : parts_(parts) {}

  const line_parts* parts_;
  std::size_t modifier_ = 0;
  std::size_t operand_ = 0;
  std::string modifiers_;
  std::string operands_;
  std::string error_;
};

}  // namespace gt200::isa::volta
