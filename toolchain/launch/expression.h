// Integer expressions in launch descriptions: "(N + 255) / 256".
//
//   + - * / %  unary -  ( )  decimal and 0x numbers, names of parameters. Division truncates towards zero.
// Values are signed 64-bit; overflow and division by zero are errors.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace gt200::launch {

using named_values = std::map<std::string, std::int64_t, std::less<>>;

// nullopt and a one-sentence `reason` when the text is malformed or cannot be computed.
std::optional<std::int64_t> evaluate(std::string_view text, const named_values& names, std::string& reason);

}  // namespace gt200::launch
