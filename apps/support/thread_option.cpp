#include "apps/support/thread_option.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "apps/support/message.h"
#include "sc_models/config/chip_config.h"
#include "toolchain/error.h"

namespace gt200::apps {
namespace {

// 0 if the text is no number of threads.
unsigned number_of(const std::string& text) {
  if (text == "auto") return std::min(tlm_bus::usable_processors(), max_threads);
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && value <= max_threads ? value : 0;
}

}  // namespace

std::string check_threads(const std::string& text) {
  return number_of(text) != 0 ? ""
                              : fmt::format("'{}' is neither auto nor a number from 1 to {}", text, max_threads);
}

unsigned thread_count(const std::string& text) {
  const unsigned value = number_of(text);
  if (value == 0) throw input_error(check_threads(text));
  return value;
}

unsigned thread_count(const std::string& text, const config::gpu_config& config) {
  const unsigned threads = thread_count(text);
  if (text != "auto" || threads == 1 || !config.idealisations.perfect_caches) return threads;
  say("gt200: one thread runs the chip: perfect caches read memory in zero time\n");
  return 1;
}

}  // namespace gt200::apps
