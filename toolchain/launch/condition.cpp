#include "toolchain/launch/condition.h"

#include <fmt/format.h>

#include <array>

namespace gt200::launch {
namespace {

struct comparison_row {
  std::string_view symbol;
  comparison relation;
};
// Longer symbols first.
constexpr std::array<comparison_row, 6> comparisons = {{{"==", comparison::equal},
                                                        {"!=", comparison::not_equal},
                                                        {"<=", comparison::less_equal},
                                                        {">=", comparison::greater_equal},
                                                        {"<", comparison::less},
                                                        {">", comparison::greater}}};

// The comparison that `text` starts with.
const comparison_row* comparison_at(std::string_view text) {
  for (const comparison_row& row : comparisons)
    if (text.substr(0, row.symbol.size()) == row.symbol) return &row;
  return nullptr;
}

template <class number>
bool compares(comparison relation, number a, number b) {
  switch (relation) {
    case comparison::equal: return a == b;
    case comparison::not_equal: return a != b;
    case comparison::less: return a < b;
    case comparison::less_equal: return a <= b;
    case comparison::greater: return a > b;
    case comparison::greater_equal: return a >= b;
  }
  return false;
}

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace

bool condition::holds(element_type type, const std::uint8_t* element) const {
  return compares(relation, to_number(type, element), static_cast<double>(value));
}

std::optional<bool> parameters_satisfy(std::string_view text, const named_values& names, std::string& reason) {
  const std::size_t at = text.find_first_of("=!<>");
  const comparison_row* row = at == std::string_view::npos ? nullptr : comparison_at(text.substr(at));
  if (row == nullptr) {
    reason = fmt::format("\"{}\" is not of the form VALUE == VALUE (or != < <= > >=)", text);
    return std::nullopt;
  }
  const auto left = evaluate(text.substr(0, at), names, reason);
  if (!left) return std::nullopt;
  const auto right = evaluate(text.substr(at + row->symbol.size()), names, reason);
  if (!right) return std::nullopt;
  return compares(row->relation, *left, *right);
}

std::optional<condition> parse_condition(const std::string& text, const named_values& names, std::string& reason) {
  condition result;
  result.text = text;
  const std::string_view whole = text;
  const std::size_t open = whole.find('[');
  if (open == std::string_view::npos) {
    result.buffer = trim(whole);
    result.text += "[0] != 0";
    return result;
  }
  const auto malformed = [&]() -> std::optional<condition> {
    reason = fmt::format("\"{}\" is not of the form BUFFER[INDEX] == VALUE (or != < <= > >=)", text);
    return std::nullopt;
  };
  const std::size_t close = whole.find(']', open);
  if (close == std::string_view::npos) return malformed();
  result.buffer = trim(whole.substr(0, open));
  const std::string_view rest = trim(whole.substr(close + 1));
  const comparison_row* row = comparison_at(rest);
  if (row == nullptr) return malformed();
  result.relation = row->relation;
  const auto index = evaluate(whole.substr(open + 1, close - open - 1), names, reason);
  if (!index) return std::nullopt;
  const auto value = evaluate(rest.substr(row->symbol.size()), names, reason);
  if (!value) return std::nullopt;
  if (*index < 0) {
    reason = fmt::format("has the negative index {}", *index);
    return std::nullopt;
  }
  result.index = static_cast<std::uint64_t>(*index);
  result.value = *value;
  return result;
}

}  // namespace gt200::launch
