// A TOML table with a fixed set of keys, typed access, and errors that name file, line and key.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "toolchain/launch/element_type.h"
#include "toolchain/launch/expression.h"
#include "toolchain/toml_file.h"

namespace gt200::launch {

// Shared by all tables of one file.
struct table_context {
  std::string file;
  named_values names;  // for expressions
};

class strict_table {
 public:
  // Throws input_error when the table has a key that is not in `keys`. `what` names the table in messages.
  strict_table(const toml::table& table, std::string what, const table_context& context,
               std::initializer_list<const char*> keys);

  unsigned line() const { return line_; }
  unsigned line_of(std::string_view key) const;  // of the table when the key is missing
  bool has(std::string_view key) const { return table_.contains(key); }
  std::size_t count_of(std::initializer_list<const char*> keys) const;

  std::string text(std::string_view key) const;
  std::string text_or(std::string_view key, const std::string& otherwise) const;
  // A string or a list of strings.
  std::vector<std::string> words(std::string_view key) const;
  bool flag_or(std::string_view key, bool otherwise) const;
  // An integer, or a string with an expression, within min..max.
  std::int64_t integer(std::string_view key, std::int64_t min, std::int64_t max) const;
  std::int64_t integer_or(std::string_view key, std::int64_t otherwise, std::int64_t min, std::int64_t max) const;
  std::vector<std::int64_t> integers(std::string_view key, std::size_t max_count, std::int64_t min,
                                     std::int64_t max) const;
  double number(std::string_view key) const;
  element_type type(std::string_view key) const;
  // A number or expression as bytes of the type; a list of them.
  std::vector<std::uint8_t> value(std::string_view key, element_type type) const;
  std::vector<std::uint8_t> values(std::string_view key, element_type type) const;
  // Array of tables; empty when absent.
  std::vector<const toml::table*> tables(std::string_view key) const;
  const toml::array& array(std::string_view key) const;
  const toml::table& table(std::string_view key) const;
  // The keys in the order of the file.
  std::vector<std::string> keys() const;

  [[noreturn]] void fail(std::string_view key, const std::string& reason) const;
  [[noreturn]] void fail(const std::string& reason) const;
  [[noreturn]] void fail_at(const toml::node& node, const std::string& reason) const;

 private:
  const toml::node& require(std::string_view key) const;
  std::int64_t to_integer(const toml::node& node, std::string_view key) const;
  void append(const toml::node& node, std::string_view key, element_type type,
              std::vector<std::uint8_t>& bytes) const;

  const toml::table& table_;
  std::string what_;
  const table_context& context_;
  unsigned line_;
};

}  // namespace gt200::launch
