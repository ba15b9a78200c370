// Options that variables of the environment give.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace gt200::apps {

// Empty if there is no such variable.
inline std::string setting(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The words of a text with blanks between them.
inline std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::size_t at = 0;
  while ((at = text.find_first_not_of(" \t\n", at)) != std::string::npos) {
    const std::size_t end = std::min(text.find_first_of(" \t\n", at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

}  // namespace gt200::apps
