#include "apps/support/launch_limits.h"

#include <fmt/format.h>

#include <charconv>

#include "apps/support/cycle_limit.h"
#include "apps/support/environment.h"
#include "toolchain/error.h"
#include "toolchain/real_number.h"

namespace gt200::apps {
namespace {

bool read(const std::string& text, std::uint64_t& value) {
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  return error == std::errc() && end == last && value <= max_option_cycles;
}

bool read(const std::string& text, double& value) {
  const real_number<double> read = whole_real<double>(text);
  value = read.value;
  return read.length > 0 && !read.is_too_small && value >= 0 && value <= max_option_seconds;
}

template <class number>
number value_of(const char* variable, std::string (*check)(const std::string&)) {
  const std::string text = setting(variable);
  number value = 0;
  if (text.empty()) return value;
  if (const std::string wrong = check(text); !wrong.empty())
    throw input_error(std::string(variable) + ": " + wrong);
  read(text, value);
  return value;
}

}  // namespace

std::string check_limit(const std::string& text) {
  std::uint64_t ignored = 0;
  return read(text, ignored) ? "" : fmt::format("'{}' is no whole number from 0 to {}", text, max_option_cycles);
}

std::string check_seconds(const std::string& text) {
  double ignored = 0;
  return read(text, ignored)
             ? ""
             : fmt::format("'{}' is no number of seconds from 0 to {:.0f}", text, max_option_seconds);
}

std::uint64_t limit_of(const char* variable) { return value_of<std::uint64_t>(variable, check_limit); }
double seconds_of(const char* variable) { return value_of<double>(variable, check_seconds); }

}  // namespace gt200::apps
