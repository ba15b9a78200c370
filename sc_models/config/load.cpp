#include "sc_models/config/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <set>
#include <type_traits>

#include "sc_models/config/added_policy.h"
#include "sc_models/config/check.h"
#include "sc_models/config/quantity.h"
#include "sc_models/config/schema.h"
#include "sc_models/config/text.h"
#include "toolchain/error.h"

namespace gt200::config {
namespace {

std::string written(const toml_value& value) {
  struct {
    std::string operator()(bool b) const { return b ? "true" : "false"; }
    std::string operator()(std::int64_t i) const { return std::to_string(i); }
    std::string operator()(double d) const { return real_text(d); }
    std::string operator()(const std::string& s) const { return s; }
    std::string operator()(const other_value& o) const { return o.kind; }
  } write;
  return std::visit(write, value);
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

// An integer with more than 64 bits, which --set took for a word.
bool is_integer_without_end(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc::result_out_of_range && end == text.data() + text.size();
}

// Assigns one entry to its key, or throws.
class assignment {
 public:
  assignment(const key_info& key, const entry& from) : key_(key), from_(from) {}

  void operator()(bool* member) const {
    const auto* value = std::get_if<bool>(&from_.value);
    if (value == nullptr) refuse("is not allowed");
    *member = *value;
  }
  void operator()(const choice_ref& choice) const {
    // The number 1.2 is accepted like the text "1.2".
    const std::string name = written(from_.value);
    for (std::size_t i = 0; i < choice.count; ++i) {
      if (name == choice.names[i]) {
        *choice.value = static_cast<unsigned char>(i);
        if (choice.list != nullptr && i >= choice.list->own) choice.list->in_use = true;
        return;
      }
    }
    refuse("is not allowed");
  }
  void operator()(const real_ref& real) const {
    double value = 0;
    if (const auto* d = std::get_if<double>(&from_.value)) {
      value = *d;
    } else if (const auto* i = std::get_if<std::int64_t>(&from_.value)) {
      value = static_cast<double>(*i);
    } else {
      value = from_quantity();
    }
    // Written this way so that NaN fails.
    if (!(value >= real.allowed.low && value <= real.allowed.high)) refuse("is out of range");
    *real.value = value;
  }
  void operator()(const file_ref& file) const {
    const auto* text = std::get_if<std::string>(&from_.value);
    if (text == nullptr || std::any_of(text->begin(), text->end(), is_control)) refuse("is not allowed");
    *file.value = "";
    if (text->empty()) return;
    const std::filesystem::path folder =
        from_.at.line == 0 ? std::filesystem::path() : std::filesystem::path(from_.at.file).parent_path();
    *file.value = std::filesystem::absolute(folder / *text).lexically_normal().string();
  }
  void operator()(const number_ref& number) const {
    std::int64_t value = 0;
    if (const auto* i = std::get_if<std::int64_t>(&from_.value)) {
      value = *i;
    } else {
      const double quantity = from_quantity();
      if (quantity != std::floor(quantity)) refuse("is not a whole number");
      if (!(std::fabs(quantity) < 9e18)) refuse("is out of range");
      value = static_cast<std::int64_t>(quantity);
    }
    const range& allowed = number.allowed;
    const auto positive = static_cast<std::uint64_t>(value);
    if (value < 0 || positive < allowed.low || positive > allowed.high) refuse("is out of range");
    if (positive % allowed.step != 0) refuse("is not a multiple of " + std::to_string(allowed.step));
    if (allowed.power_of_two && (positive & (positive - 1)) != 0) refuse("is not a power of two");
    std::visit([&](auto* member) { *member = static_cast<std::remove_pointer_t<decltype(member)>>(positive); },
               number.value);
  }

 private:
  double from_quantity() const {
    const auto* text = std::get_if<std::string>(&from_.value);
    if (text == nullptr) refuse("is not allowed");
    if (is_integer_without_end(*text)) refuse("is out of range");
    const quantity_result result = read_quantity(*text, key_.about.in);
    if (!result.error.empty()) refuse(result.error);
    return result.value;
  }
  [[noreturn]] void refuse(const std::string& why) const {
    const std::string in = unit_text(key_.about.in);
    throw input_error(from_.at.file, from_.at.line,
                      fmt::format("{}: '{}' {}; allowed: {}{}", key_.path, written(from_.value), why,
                                  allowed_text(key_.value), in.empty() ? "" : " (" + in + ")"));
  }

  const key_info& key_;
  const entry& from_;
};

void refuse_unknown(const entries& all, const schema& known) {
  const auto refuse = [](const location& at, const std::string& why) { throw input_error(at.file, at.line, why); };
  // Groups first: a misspelled group makes all its keys unknown.
  for (const auto& [path, at] : all.tables) {
    if (known.find_key(path) != nullptr) refuse(at, fmt::format("'{}' is a key, not a group of keys", path));
    if (known.find_group(path) == nullptr)
      refuse(at, fmt::format("unknown group '{}'{}", path, known.suggestion(path)));
  }
  for (const auto& [path, from] : all.keys) {
    if (known.find_group(path) != nullptr) refuse(from.at, fmt::format("'{}' is a group of keys, not a key", path));
    if (known.find_key(path) == nullptr) {
      refuse(from.at, fmt::format("unknown key '{}'{}", path, known.suggestion(path)));
    }
  }
}

// Keys of added policies share a group with those of this project, and with each other.
void refuse_doubled(const schema& known) {
  std::set<std::string> paths;
  const auto enter = [&](const std::string& path) {
    if (!paths.insert(path).second)
      throw input_error("two policies, or a policy and a key, are called '" + path + "'");
  };
  for (const key_info& key : known.keys) enter(key.path);
  for (const group_info& group : known.groups) enter(group.path);
}

// One policy is for all issue schedulers of an SM, unless that of the second one is named as well: in the same file
// or a later one, or both on the command line. With one scheduler the second policy has no meaning and stays as it
// is.
void let_second_scheduler_follow(entries& all) {
  const auto count = all.keys.find("tpc.sm.scheduler.schedulers");
  const auto first = all.keys.find("tpc.sm.scheduler.policy");
  const auto second = all.keys.find("tpc.sm.scheduler.second_policy");
  if (count == all.keys.end() || first == all.keys.end() || second == all.keys.end()) return;
  const auto* schedulers = std::get_if<std::int64_t>(&count->second.value);
  const auto on_command_line = [](const entry& e) { return e.at.file.rfind("--set ", 0) == 0; };
  const bool both_there = on_command_line(first->second) && on_command_line(second->second);
  if (schedulers == nullptr || *schedulers < 2 || both_there) return;
  if (first->second.at.rank > second->second.at.rank) second->second = first->second;
}

resolved_config resolve(entries all, const std::string& file, const std::vector<std::string>& overrides) {
  for (const std::string& text : overrides) apply_override(all, text);
  let_second_scheduler_follow(all);
  if (const std::vector<std::string> errors = take_registration_errors(); !errors.empty())
    throw input_error(errors.front());

  resolved_config result;
  const schema known(result.values);
  refuse_doubled(known);
  refuse_unknown(all, known);
  for (const key_info& key : known.keys) {
    const auto found = all.keys.find(key.path);
    if (found == all.keys.end() && key.about.has_value) {
      result.set_at.emplace(key.path, location{"the policy", 0, 0, {}});
      continue;
    }
    if (found == all.keys.end()) {
      const std::string in = unit_text(key.about.in);
      throw input_error(file, 0,
                        fmt::format("missing key '{}': {}; allowed: {}{}", key.path, key.about.text,
                                    allowed_text(key.value), in.empty() ? "" : " (" + in + ")"));
    }
    std::visit(assignment(key, found->second), key.value);
    result.set_at.emplace(key.path, found->second.at);
  }
  check(result);
  return result;
}

}  // namespace

resolved_config load(const std::string& file, const std::vector<std::string>& overrides) {
  return resolve(read_files(file), file, overrides);
}

resolved_config parse(const std::string& text, const std::string& file, const std::vector<std::string>& overrides) {
  return resolve(read_text(text, file), file, overrides);
}

}  // namespace gt200::config
