#include "toolchain/launch/strict_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "toolchain/error.h"
#include "toolchain/launch/nearest.h"

namespace gt200::launch {
namespace {

unsigned line_in_file(const toml::node& node) { return static_cast<unsigned>(node.source().begin.line); }

}  // namespace

strict_table::strict_table(const toml::table& table, std::string table_name, const table_context& context,
                           std::initializer_list<const char*> keys)
    : table_(table), table_name_(std::move(table_name)), context_(context), line_(line_in_file(table)) {
  const std::vector<std::string> valid(keys.begin(), keys.end());
  for (const auto& [key, node] : table_) {
    const std::string name(key.str());
    if (std::find(valid.begin(), valid.end(), name) != valid.end()) continue;
    const std::string hint = suggestion(name, valid);
    fail_at(node, fmt::format("unknown key '{}' in {}{}", name, table_name_, hint));
  }
}

void strict_table::fail_at(const toml::node& node, const std::string& reason) const {
  throw input_error(context_.file, line_in_file(node), reason);
}
void strict_table::fail(const std::string& reason) const { throw input_error(context_.file, line_, reason); }
void strict_table::fail(std::string_view key, const std::string& reason) const {
  throw input_error(context_.file, line_of(key), fmt::format("'{}' {}", key, reason));
}

unsigned strict_table::line_of(std::string_view key) const {
  const toml::node* node = table_.get(key);
  return node != nullptr ? line_in_file(*node) : line_;
}

std::size_t strict_table::count_of(std::initializer_list<const char*> keys) const {
  return static_cast<std::size_t>(
      std::count_if(keys.begin(), keys.end(), [&](const char* key) { return has(key); }));
}

const toml::node& strict_table::require(std::string_view key) const {
  const toml::node* node = table_.get(key);
  if (node == nullptr) fail(fmt::format("{} has no '{}'", table_name_, key));
  return *node;
}

std::string strict_table::text(std::string_view key) const {
  const auto value = require(key).value_exact<std::string>();
  if (!value) fail(key, "must be a string");
  if (value->empty()) fail(key, "must not be empty");
  return *value;
}
std::string strict_table::text_or(std::string_view key, const std::string& otherwise) const {
  return has(key) ? text(key) : otherwise;
}

std::vector<std::string> strict_table::words(std::string_view key) const {
  if (!require(key).is_array()) return {text(key)};
  std::vector<std::string> result;
  for (const toml::node& node : array(key)) {
    const auto word = node.value_exact<std::string>();
    if (!word) fail_at(node, fmt::format("'{}' must hold strings", key));
    result.push_back(*word);
  }
  return result;
}

bool strict_table::flag_or(std::string_view key, bool otherwise) const {
  if (!has(key)) return otherwise;
  const auto value = require(key).value_exact<bool>();
  if (!value) fail(key, "must be true or false");
  return *value;
}

std::int64_t strict_table::to_integer(const toml::node& node, std::string_view key) const {
  if (const auto value = node.value_exact<std::int64_t>()) return *value;
  const auto expression = node.value_exact<std::string>();
  if (!expression) fail_at(node, fmt::format("'{}' must be an integer or an expression in a string", key));
  std::string reason;
  const auto value = evaluate(*expression, context_.names, reason);
  if (!value) fail_at(node, fmt::format("'{}' {}", key, reason));
  return *value;
}

std::int64_t strict_table::integer(std::string_view key, std::int64_t min, std::int64_t max) const {
  const std::int64_t value = to_integer(require(key), key);
  if (value < min || value > max) fail(key, fmt::format("is {}, allowed are {} to {}", value, min, max));
  return value;
}
std::int64_t strict_table::integer_or(std::string_view key, std::int64_t otherwise, std::int64_t min,
                                      std::int64_t max) const {
  return has(key) ? integer(key, min, max) : otherwise;
}

std::vector<std::int64_t> strict_table::integers(std::string_view key, std::size_t max_count, std::int64_t min,
                                                 std::int64_t max) const {
  std::vector<std::int64_t> result;
  for (const toml::node& node : array(key)) {
    const std::int64_t value = to_integer(node, key);
    if (value < min || value > max)
      fail_at(node, fmt::format("'{}' has {}, allowed are {} to {}", key, value, min, max));
    result.push_back(value);
  }
  if (result.empty() || result.size() > max_count) fail(key, fmt::format("must have 1 to {} elements", max_count));
  return result;
}

double strict_table::number(std::string_view key) const {
  const auto value = require(key).value<double>();
  if (!value) fail(key, "must be a number");
  return *value;
}

element_type strict_table::type(std::string_view key) const {
  const std::string name = text(key);
  const auto result = parse_element_type(name);
  if (!result) fail(key, fmt::format("is '{}', allowed are u8 s8 u16 s16 u32 s32 u64 s64 f32 f64", name));
  return *result;
}

void strict_table::append(const toml::node& node, std::string_view key, element_type type,
                          std::vector<std::uint8_t>& bytes) const {
  if (const auto real = node.value_exact<double>()) {
    if (!append_float(type, *real, bytes))
      fail_at(node, fmt::format("'{}' has a fraction, but its type is {}", key, name_of(type)));
    if (type == element_type::f32 && std::isfinite(*real) && std::isinf(static_cast<float>(*real)))
      fail_at(node, fmt::format("'{}': {} does not fit the type f32", key, *real));
    return;
  }
  const std::int64_t value = to_integer(node, key);
  if (!append_integer(type, value, bytes))
    fail_at(node, fmt::format("'{}': {} does not fit the type {}", key, value, name_of(type)));
}

std::vector<std::uint8_t> strict_table::value(std::string_view key, element_type type) const {
  std::vector<std::uint8_t> bytes;
  append(require(key), key, type, bytes);
  return bytes;
}

std::vector<std::uint8_t> strict_table::values(std::string_view key, element_type type) const {
  std::vector<std::uint8_t> bytes;
  for (const toml::node& node : array(key)) append(node, key, type, bytes);
  if (bytes.empty()) fail(key, "must not be empty");
  return bytes;
}

const toml::array& strict_table::array(std::string_view key) const {
  const toml::array* result = require(key).as_array();
  if (result == nullptr) fail(key, "must be a list in [ ]");
  return *result;
}

const toml::table& strict_table::table(std::string_view key) const {
  const toml::table* result = require(key).as_table();
  if (result == nullptr) fail(key, "must be a table");
  return *result;
}

std::vector<const toml::table*> strict_table::tables(std::string_view key) const {
  std::vector<const toml::table*> result;
  if (!has(key)) return result;
  for (const toml::node& node : array(key)) {
    if (!node.is_table()) fail_at(node, fmt::format("'{}' must hold tables, as in [[{}]]", key, key));
    result.push_back(node.as_table());
  }
  return result;
}

std::vector<std::string> strict_table::keys() const {
  std::vector<std::string> result;
  for (const auto& [key, node] : table_) result.emplace_back(key.str());
  return result;
}

}  // namespace gt200::launch
