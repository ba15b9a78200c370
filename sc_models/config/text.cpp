#include "sc_models/config/text.h"

#include <fmt/format.h>

#include <array>

namespace gt200::config {

std::string real_text(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string joined(const std::vector<std::string>& elements, const char* separator) {
  std::string text;
  for (const std::string& element : elements) text += (text.empty() ? "" : separator) + element;
  return text;
}

std::string value_text(const leaf_ref& value) {
  struct {
    std::string operator()(const bool* member) const { return *member ? "true" : "false"; }
    std::string operator()(const number_ref& number) const {
      return std::visit([](const auto* member) { return std::to_string(*member); }, number.value);
    }
    std::string operator()(const real_ref& real) const { return real_text(*real.value); }
    std::string operator()(const choice_ref& choice) const {
      return fmt::format("\"{}\"", choice.names[*choice.value]);
    }
    std::string operator()(const file_ref& file) const {
      std::string quoted = "\"";
      for (const char c : *file.value) quoted += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
      return quoted + "\"";
    }
  } write;
  return std::visit(write, value);
}

std::string unit_text(unit in) {
  static constexpr std::array names = {"",     "bytes",         "MiB",         "MHz",           "ns",
                                       "MB/s", "shader cycles", "core cycles", "uncore cycles", "memory cycles"};
  static_assert(names.size() == static_cast<std::size_t>(unit::memory_cycles) + 1);
  return names[static_cast<std::size_t>(in)];
}

std::string allowed_text(const leaf_ref& value) {
  struct {
    std::string operator()(const bool*) const { return "true or false"; }
    std::string operator()(const number_ref& number) const {
      const range& r = number.allowed;
      std::string text = fmt::format("{} {}..{}", r.power_of_two ? "power of two" : "integer", r.low, r.high);
      if (r.step > 1) text += fmt::format(" in steps of {}", r.step);
      return text;
    }
    std::string operator()(const real_ref& real) const {
      return fmt::format("number {}..{}", real_text(real.allowed.low), real_text(real.allowed.high));
    }
    std::string operator()(const choice_ref& choice) const {
      return "one of " + joined({choice.names, choice.names + choice.count}, ", ");
    }
    std::string operator()(const file_ref&) const { return "a path, or \"\""; }
  } write;
  return std::visit(write, value);
}

std::string source_text(const source& from) {
  static constexpr std::array names = {"measured", "documented", "patent", "assumption"};
  return fmt::format("{}: {}", names[static_cast<std::size_t>(from.confidence)], from.citation);
}

}  // namespace gt200::config
