// Conditions on buffer elements, for steps that repeat: "over[0] != 0", "error[N - 1] > 3", or "over" for "over[0]
// != 0"; and conditions on parameters: "N % 128 == 0".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "toolchain/launch/element_type.h"
#include "toolchain/launch/expression.h"

namespace gt200::launch {

enum class comparison : std::uint8_t { equal, not_equal, less, less_equal, greater, greater_equal };

// An element of a buffer compared with an integer.
struct condition {
  std::string buffer;
  std::uint64_t index = 0;
  comparison relation = comparison::not_equal;
  std::int64_t value = 0;
  std::string text;  // as written

  // `element`: the bytes of buffer[index].
  bool holds(element_type type, const std::uint8_t* element) const;
};

// "N % 128 == 0": two integer expressions compared. nullopt and a one-sentence `reason` when the text is malformed.
std::optional<bool> parameters_satisfy(std::string_view text, const named_values& names, std::string& reason);

// nullopt and a one-sentence `reason` when the text is malformed. The name of the buffer is not looked up.
std::optional<condition> parse_condition(const std::string& text, const named_values& names, std::string& reason);

}  // namespace gt200::launch
