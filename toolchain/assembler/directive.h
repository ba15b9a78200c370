// Takes the words of one directive from left to right. Errors name file and line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "toolchain/assembler/source_line.h"
#include "toolchain/assembler/symbols.h"
#include "toolchain/cubin/module.h"

namespace gt200::assembler {

class directive {
 public:
  directive(const source_text& line, const std::string& file, const symbol_table& symbols);

  const std::string& name() const { return words_[0]; }  // with its leading dot
  unsigned line() const { return line_; }
  bool at_end() const { return position_ == words_.size(); }

  std::string take(const std::string& what);  // the next word; fails with "missing WHAT" when there is none
  std::string take_identifier(const std::string& what);
  // A number or the name of a constant, within min..max.
  std::int64_t take_number(const std::string& what, std::int64_t min, std::int64_t max);
  // Takes `at NUMBER` if it comes next.
  std::optional<std::uint32_t> take_at(std::uint32_t max);
  // Takes a number of zero bytes, or a type and values. Returns size, initial bytes (empty for zeros) and natural
  // alignment (4 for zeros).
  struct contents {
    std::uint32_t size = 0;
    std::vector<std::uint8_t> data;
    std::uint32_t alignment = 4;
  };
  contents take_contents(std::uint32_t max_bytes);
  // Takes NAME [at OFFSET] contents. Without `at` the segment goes to `end`. Moves `end` past the segment.
  cubin::constant_segment take_segment(std::uint8_t space, std::uint32_t& end);
  void finish();  // fails when words are left

  [[noreturn]] void fail(const std::string& reason) const;

 private:
  std::vector<std::string> words_;
  std::size_t position_ = 1;
  unsigned line_;
  const std::string& file_;
  const symbol_table& symbols_;
};

}  // namespace gt200::assembler
