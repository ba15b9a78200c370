#include "sc_models/config/added_policy.h"

#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <map>
#include <stdexcept>

#include "sc_models/config/named_choices.h"
#include "toolchain/error.h"

namespace gt200::config {
namespace {

// The columns of a list, with the added rows; and the rows themselves, whose addresses stay.
struct grown_list {
  std::vector<const char*> names;
  std::vector<const char*> texts;
  std::deque<added_policy> rows;
  std::vector<const added_policy*> by_name;
};

std::map<const policy_list*, grown_list>& grown_lists() {
  static std::map<const policy_list*, grown_list> lists;
  return lists;
}

struct choice_by_name {
  const policy_list* list;
  std::string pattern;
  std::string policy;
  bool used = false;
};
std::vector<choice_by_name>& choices() {
  static std::vector<choice_by_name> all;
  return all;
}

const std::array<policy_list*, 11> all_lists = {&warp_policies,      &fetch_policies,      &dram_models,
                                                &dram_schedulers,    &page_policies,       &crossbar_arbitrations,
                                                &network_topologies, &coalescing_policies, &dependency_trackers,
                                                &unit_arithmetics,   &cache_replacements};

bool has(const policy_list& list, const std::string& name) {
  for (std::size_t i = 0; i < list.count; ++i)
    if (name == list.names[i]) return true;
  return false;
}

std::vector<std::string>& errors() {
  static std::vector<std::string> all;
  return all;
}

bool is_name(const std::string& text) {
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  return !text.empty() && text[0] >= 'a' && std::all_of(text.begin(), text.end(), fits);
}

bool is_allowed(const added_key& key) {
  if (const auto* number = std::get_if<std::uint64_t>(&key.value)) {
    const range& r = key.numbers;
    const bool power = !r.power_of_two || (*number != 0 && (*number & (*number - 1)) == 0);
    return *number >= r.low && *number <= r.high && *number % r.step == 0 && power;
  }
  if (const auto* real = std::get_if<double>(&key.value)) return *real >= key.reals.low && *real <= key.reals.high;
  return true;
}

// Empty when the row can be added.
std::string problem_of(const policy_list& list, const added_policy& policy) {
  if (!is_name(policy.name)) return "its name is not made of a-z, 0-9 and _, a letter first";
  for (std::size_t i = 0; i < list.count; ++i)
    if (policy.name == list.names[i])
      return i < list.own ? "gt200 has one of this name" : "one of this name is there already";
  if (list.count == 256) return "there are 256 already";
  if (list.in_use) return "a configuration that names an added one was loaded before";
  for (std::size_t i = 0; i < policy.keys.size(); ++i) {
    const added_key& key = policy.keys[i];
    if (!is_name(key.name)) return "the key '" + key.name + "' is not made of a-z, 0-9 and _, a letter first";
    if (!is_allowed(key)) return "the value of its key '" + key.name + "' is not allowed by itself";
    for (std::size_t j = 0; j < i; ++j)
      if (policy.keys[j].name == key.name) return "it has two keys '" + key.name + "'";
  }
  return "";
}

}  // namespace

added_key number_key(std::string name, std::uint64_t value, unit in, range allowed, std::string text) {
  return {std::move(name), std::move(text), in, value, allowed, {}};
}
added_key real_key(std::string name, double value, unit in, real_range allowed, std::string text) {
  return {std::move(name), std::move(text), in, value, {}, allowed};
}
added_key flag_key(std::string name, bool value, std::string text) {
  return {std::move(name), std::move(text), unit::none, value, {}, {}};
}

bool add_policy(policy_list& list, added_policy policy) {
  if (const std::string problem = problem_of(list, policy); !problem.empty()) {
    note_registration_error(std::string(list.kind) + " '" + policy.name + "' cannot be added: " + problem);
    return false;
  }
  grown_list& grown = grown_lists()[&list];
  if (grown.names.empty()) {
    grown.names.assign(list.names, list.names + list.count);
    grown.texts.assign(list.texts, list.texts + list.count);
  }
  const added_policy& row = grown.rows.emplace_back(std::move(policy));
  const auto by_name = [](const added_policy* a, const added_policy* b) { return a->name < b->name; };
  const auto at =
      std::upper_bound(grown.by_name.begin(), grown.by_name.end(), &row, by_name) - grown.by_name.begin();
  grown.by_name.insert(grown.by_name.begin() + at, &row);
  const auto place = static_cast<std::ptrdiff_t>(list.own) + at;
  grown.names.insert(grown.names.begin() + place, row.name.c_str());
  grown.texts.insert(grown.texts.begin() + place, row.text.c_str());
  list.names = grown.names.data();
  list.texts = grown.texts.data();
  list.count = grown.names.size();
  return true;
}

const std::vector<const added_policy*>& added_to(const policy_list& list) {
  static const std::vector<const added_policy*> none;
  const auto found = grown_lists().find(&list);
  return found == grown_lists().end() ? none : found->second.by_name;
}

void choose_at(policy_list& list, const std::string& pattern, const std::string& name) {
  if (!has(list, name)) throw input_error("no " + std::string(list.kind) + " is called '" + name + "'");
  choices().push_back({&list, pattern, name});
}

void choose_at(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0)
    throw input_error("'" + text + "': expected MODULE=POLICY, such as 'gt200.partition_0.dram=fixed_latency'");
  const std::string pattern = text.substr(0, equals), name = text.substr(equals + 1);
  std::vector<policy_list*> found;
  for (policy_list* list : all_lists)
    // What is added as issue policy is one of fetch as well; the modules' names tell them apart.
    if (has(*list, name)) found.push_back(list);
  if (found.empty()) throw input_error("'" + text + "': no policy is called '" + name + "'");
  for (policy_list* list : found) choose_at(*list, pattern, name);
}

const char* chosen_at(const policy_list& list, const char* module, const char* configured) {
  if (choices().empty()) return configured;
  choice_by_name* found = nullptr;
  for (choice_by_name& c : choices()) {
    if (c.list != &list || fnmatch(c.pattern.c_str(), module, 0) != 0) continue;
    if (found != nullptr && found->policy != c.policy)
      throw input_error("'" + found->pattern + "=" + found->policy + "' and '" + c.pattern + "=" + c.policy +
                        "' both choose for " + module);
    found = &c;
    c.used = true;
  }
  return found == nullptr ? configured : found->policy.c_str();
}

bool is_chosen_for_modules(const policy_list& list, std::string_view name) {
  return std::any_of(choices().begin(), choices().end(),
                     [&](const choice_by_name& c) { return c.list == &list && c.policy == name; });
}

std::vector<std::string> unused_choices() {
  // A policy may be in several lists; its pattern need match in one.
  std::map<std::string, bool> used;
  for (const choice_by_name& c : choices()) used[c.pattern + "=" + c.policy] |= c.used;
  std::vector<std::string> unused;
  for (const auto& [text, is_used] : used)
    if (!is_used) unused.push_back(text);
  return unused;
}

std::vector<std::string> take_registration_errors() {
  std::vector<std::string> all;
  all.swap(errors());
  return all;
}
void note_registration_error(std::string text) { errors().push_back(std::move(text)); }

policy_values::policy_values(const added_policy& about) : about_(&about) {
  for (const added_key& key : about.keys) values_.push_back(key.value);
}

std::size_t policy_values::index_of(std::string_view key) const {
  for (std::size_t i = 0; i < values_.size(); ++i)
    if (about_->keys[i].name == key) return i;
  throw std::logic_error("the policy '" + (about_ == nullptr ? "" : about_->name) + "' has declared no key '" +
                         std::string(key) + "'");
}
std::uint64_t policy_values::number(std::string_view key) const {
  return std::get<std::uint64_t>(values_[index_of(key)]);
}
double policy_values::real(std::string_view key) const { return std::get<double>(values_[index_of(key)]); }
bool policy_values::flag(std::string_view key) const { return std::get<bool>(values_[index_of(key)]); }

void policy_values::describe(visitor& v) {
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const added_key& key = about_->keys[i];
    if (bool* flag = std::get_if<bool>(&values_[i]))
      v.declared(key.name.c_str(), key.in, key.text.c_str(), flag);
    else if (std::uint64_t* number = std::get_if<std::uint64_t>(&values_[i]))
      v.declared(key.name.c_str(), key.in, key.text.c_str(), number_ref{number, key.numbers});
    else
      v.declared(key.name.c_str(), key.in, key.text.c_str(), real_ref{&std::get<double>(values_[i]), key.reals});
  }
}

}  // namespace gt200::config
