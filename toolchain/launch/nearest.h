// Suggestions for misspelt names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gt200::launch {

// The entry of `candidates` closest to `word` by edit distance; empty when none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

// "; did you mean 'X'?", or nothing when no candidate is near.
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace gt200::launch
