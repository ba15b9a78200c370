#include "inject/site.h"

#include <charconv>

#include "toolchain/error.h"

namespace gt200::inject {
namespace {

bool number(const std::string& text, std::uint64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

}  // namespace

site parse_site(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  const std::size_t at = text.rfind('@');
  site result;
  if (colon == std::string::npos || at == std::string::npos || at < colon || colon == 0 ||
      !number(text.substr(colon + 1, at - colon - 1), result.bit) || !number(text.substr(at + 1), result.cycle) ||
      result.cycle == 0)
    throw input_error(text, 0, "is no site MODULE:BIT@CYCLE, with a cycle of at least 1");
  result.module = text.substr(0, colon);
  return result;
}

std::string text_of(const site& s) {
  return s.module + ":" + std::to_string(s.bit) + "@" + std::to_string(s.cycle);
}

}  // namespace gt200::inject
