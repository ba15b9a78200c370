#include "observe/observers/cycle_window.h"

#include <charconv>

namespace gt200::observe {

std::optional<cycle_window> window_of(const std::string& text) {
  cycle_window window;
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return std::nullopt;
  const auto read = [](const char* first, const char* last, std::uint64_t& number) {
    if (first == last) return true;
    const auto [end, error] = std::from_chars(first, last, number);
    return error == std::errc() && end == last && number <= max_option_cycles;
  };
  const char* const begin = text.data();
  if (!read(begin, begin + colon, window.begin) || !read(begin + colon + 1, begin + text.size(), window.end) ||
      window.begin >= window.end)
    return std::nullopt;
  return window;
}

}  // namespace gt200::observe
