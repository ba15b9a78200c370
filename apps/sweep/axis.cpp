#include "apps/sweep/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

#include "toolchain/error.h"

namespace gt200::apps::sweep {
namespace {

constexpr std::int64_t max_numbers = 10'000;

[[noreturn]] void fail(const axis& varied, const std::string& reason) {
  throw input_error(varied.option + (varied.key.empty() ? "" : " " + varied.key), 0, reason);
}

std::vector<std::string> elements_of(const std::string& text) {
  std::vector<std::string> result(1);
  int depth = 0;
  char quote = 0;
  for (const char c : text) {
    if (quote != 0)
      quote = c == quote ? 0 : quote;
    else if (c == '"' || c == '\'')
      quote = c;
    else if (c == '[' || c == '{')
      ++depth;
    else if (c == ']' || c == '}')
      --depth;
    if (c == ',' && depth == 0 && quote == 0)
      result.emplace_back();
    else
      result.back() += c;
  }
  return result;
}

std::optional<std::int64_t> integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// The numbers of LO..HI or LO..HI..STEP; nothing when `text` is not of that form.
std::optional<std::vector<std::string>> range(const axis& varied, const std::string& text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string::npos) return std::nullopt;
  const std::string_view rest = std::string_view(text).substr(dots + 2);
  const std::size_t more_dots = rest.find("..");
  const auto low = integer(std::string_view(text).substr(0, dots));
  const auto high = integer(rest.substr(0, more_dots));
  const auto step = more_dots == std::string_view::npos ? 1 : integer(rest.substr(more_dots + 2));
  if (!low || !high || !step) return std::nullopt;
  if (*step < 1) fail(varied, fmt::format("the step of '{}' is not positive", text));
  if (*high < *low) fail(varied, fmt::format("the range '{}' is empty", text));
  // In unsigned arithmetic: the distance of two int64 may exceed the largest int64.
  const std::uint64_t distance = static_cast<std::uint64_t>(*high) - static_cast<std::uint64_t>(*low);
  const std::uint64_t steps = distance / static_cast<std::uint64_t>(*step);
  if (steps >= max_numbers) fail(varied, fmt::format("'{}' is more than {} numbers", text, max_numbers));
  std::vector<std::string> result;
  for (std::uint64_t i = 0; i <= steps; ++i)
    result.push_back(std::to_string(*low + static_cast<std::int64_t>(i) * *step));
  return result;
}

}  // namespace

std::string axis::name() const {
  if (is_kernel() || is_replicate()) return option;
  return key.empty() ? option.substr(2) : key;
}

std::vector<std::string> axis::words(std::size_t index) const {
  if (is_kernel() || is_replicate()) return given_words.at(index);
  return {option, key.empty() ? values.at(index) : key + "=" + values.at(index)};
}

axis parse_axis(const std::string& option, const std::string& text) {
  axis result{option, {}, {}, {}, {}};
  std::string values = text;
  if (option != "--config") {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) fail(result, fmt::format("'{}' is not KEY=VALUES", text));
    result.key = text.substr(0, equals);
    values = text.substr(equals + 1);
  }
  for (const std::string& element : elements_of(values)) {
    if (element.empty()) fail(result, fmt::format("an empty value in '{}'", text));
    const auto numbers = range(result, element);
    for (const std::string& value : numbers ? *numbers : std::vector<std::string>{element}) {
      if (std::count(result.values.begin(), result.values.end(), value) != 0)
        fail(result, fmt::format("the value '{}' appears twice in '{}'", value, text));
      result.values.push_back(value);
    }
  }
  return result;
}

axis axis_of(const replicates& of, std::uint64_t first_seed) {
  axis result{"replicate", {}, {}, {}, of.at};
  for (unsigned i = 0; i < of.count(); ++i) {
    result.values.push_back(std::to_string(i + 1));
    std::vector<std::string>& words = result.given_words.emplace_back();
    if (of.seeds != 0) words.insert(words.end(), {"--seed", std::to_string(first_seed + i)});
    if (of.jitter != 0)
      words.insert(words.end(), {"--jitter", std::to_string(std::max<std::uint64_t>(first_seed, 1) + i)});
  }
  return result;
}

}  // namespace gt200::apps::sweep
