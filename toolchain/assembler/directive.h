// The words of one directive, taken from left to right, with errors that name file and line.
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

  const std::string& name() const { return words_[0]; }  // with its point
  unsigned line() const { return line_; }
  bool at_end() const { return position_ == words_.size(); }

  std::string take(const std::string& what);  // the next word, or "missing WHAT"
  std::string take_identifier(const std::string& what);
  // A number or the name of a constant, within min..max.
  std::int64_t take_number(const std::string& what, std::int64_t min, std::int64_t max);
  // `at NUMBER`, when it comes next.
  std::optional<std::uint32_t> take_at(std::uint32_t max);
  // What follows is either a number of zero bytes, or a type and values. Gives size, initial bytes (empty for
  // zeros) and natural alignment (4 for zeros).
  struct contents {
    std::uint32_t size = 0;
    std::vector<std::uint8_t> data;
    std::uint32_t alignment = 4;
  };
  contents take_contents(std::uint32_t max_bytes);
  // NAME [at OFFSET] contents, placed behind `end` (and moving it) when there is no `at`.
  cubin::constant_segment take_segment(std::uint8_t space, std::uint32_t& end);
  void finish();  // nothing may follow

  [[noreturn]] void fail(const std::string& reason) const;

 private:
  std::vector<std::string> words_;
  std::size_t position_ = 1;
  unsigned line_;
  const std::string& file_;
  const symbol_table& symbols_;
};

}  // namespace gt200::assembler
