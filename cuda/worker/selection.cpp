#include "cuda/worker/selection.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string_view>

#include "toolchain/error.h"

namespace gt200::cudart {
namespace {

const std::string option = "--engine, or GT200_ENGINE: '";

bool read_number(const std::string& text, std::uint64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && !text.empty() && number != 0;
}

bool is_pattern_of_names(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_$.*?").find(c) != std::string::npos;
  });
}

// In capital letters, or beside kernels.
bool is_misplaced_engine(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text == "model" || text == "emulator" || text == "auto" || text == "cpu";
}

bool matches_from(const char* pattern, const char* text) {
  for (; *pattern != '\0'; ++pattern, ++text) {
    if (*pattern == '*') {
      while (*pattern == '*') ++pattern;
      for (;; ++text) {
        if (matches_from(pattern, text)) return true;
        if (*text == '\0') return false;
      }
    }
    if (*text == '\0' || (*pattern != '?' && *pattern != *text)) return false;
  }
  return *text == '\0';
}

}  // namespace

const char* name_of(engine_kind engine) {
  return engine == engine_kind::model ? "model" : engine == engine_kind::emulator ? "emulator" : "cpu";
}

bool matches(const std::string& pattern, const std::string& text) {
  return matches_from(pattern.c_str(), text.c_str());
}

std::string short_kernel(const std::string& name) {
  std::string text = readable_kernel(name);
  const std::string unnamed = "(anonymous namespace)::";
  for (std::size_t at = text.find(unnamed); at != std::string::npos; at = text.find(unnamed))
    text.erase(at, unnamed.size());
  text = text.substr(0, text.find('('));
  text = text.substr(0, text.find('<'));
  if (const std::size_t space = text.rfind(' '); space != std::string::npos) text = text.substr(space + 1);
  if (const std::size_t colon = text.rfind("::"); colon != std::string::npos) text = text.substr(colon + 2);
  return text;
}

selection::rule selection::rule_of(const std::string& text) {
  rule r;
  r.text = text;
  const std::size_t colon = text.rfind(':');
  r.pattern = text.substr(0, colon);
  if (r.pattern.empty()) throw input_error(option + text + "' names no kernel");
  if (!is_pattern_of_names(r.pattern) || is_misplaced_engine(text))
    throw input_error(option + text +
                      "' names no kernel; an engine is model, emulator, auto or cpu, alone, or cpu beside kernels");
  if (colon == std::string::npos) return r;
  const std::string numbers = text.substr(colon + 1);
  const std::size_t dash = numbers.find('-');
  bool good = read_number(numbers.substr(0, dash), r.first);
  r.last = r.first;
  if (dash != std::string::npos) good = good && read_number(numbers.substr(dash + 1), r.last) && r.first <= r.last;
  if (!good) throw input_error(option + text + "' does not end with the number of a launch, as 3 or 3-5");
  return r;
}

selection::selection(const std::string& text) {
  is_default_ = text.empty();
  if (is_default_ || text == "model") {
    all_on_model_ = true;
  } else if (text == "auto") {
    rules_.push_back(rule_of("*:1"));
  } else if (text != "emulator") {
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find(',', at), text.size());
      const std::string part = text.substr(at, end - at);
      if (part == "cpu")
        others_ = engine_kind::cpu;
      else
        rules_.push_back(rule_of(part));
      at = end + 1;
    }
  }
}

selection::choice selection::next(const std::string& kernel, bool has_cpu_code) {
  const choice c = peek(kernel, has_cpu_code);
  launches_[kernel] = c.number;
  for (rule& r : rules_) r.is_used |= r.chooses(kernel, c.number);
  return c;
}

selection::choice selection::peek(const std::string& kernel, bool has_cpu_code) const {
  const auto found = launches_.find(kernel);
  choice c;
  c.number = found == launches_.end() ? 1 : found->second + 1;
  const bool on_cpu = has_cpu_code && (is_default_ || others_ == engine_kind::cpu);
  if (on_cpu && (is_default_ || !is_selected(kernel, c.number)))
    c.engine = engine_kind::cpu;
  else
    c.engine = is_selected(kernel, c.number) ? engine_kind::model : engine_kind::emulator;
  return c;
}

bool selection::rule::chooses(const std::string& kernel, std::uint64_t number) const {
  return number >= first && number <= last && (matches(pattern, short_kernel(kernel)) || matches(pattern, kernel));
}

bool selection::is_selected(const std::string& kernel, std::uint64_t number) const {
  return all_on_model_ ||
         std::any_of(rules_.begin(), rules_.end(), [&](const rule& r) { return r.chooses(kernel, number); });
}

std::vector<std::string> selection::unmatched() const {
  std::vector<std::string> texts;
  for (const rule& r : rules_)
    if (!r.is_used) texts.push_back(r.text);
  return texts;
}

}  // namespace gt200::cudart
