// Patterns of hierarchical names: '*' matches any characters including dots, '?' matches one character.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gt200::observe {

bool matches(std::string_view pattern, std::string_view name);
// True if any of the patterns matches.
bool matches_any(const std::vector<std::string>& patterns, std::string_view name);
// For messages: 'a', 'b'
std::string listed(const std::vector<std::string>& patterns);

}  // namespace gt200::observe
