// Policies that are added from outside: by the program that links this library, or by a plug-in
// (sc_models/plugin.h).
//
// An added policy declares its keys with it. They stand in a group of its name beside the key that chooses it, such
// as tpc.sm.scheduler.mine.window, and have the declared value until a configuration sets another one. Policies are
// added before the first configuration is loaded. In which order they are added changes nothing. Plain C++.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sc_models/config/parameter.h"
#include "sc_models/config/policy.h"

namespace gt200::config {

// A key of an added policy; made by the functions below.
struct added_key {
  std::string name;
  std::string text;  // what it means, without a full stop
  unit in = unit::none;
  std::variant<bool, std::uint64_t, double> value;  // the declared one
  range numbers{};
  real_range reals{};
};
added_key number_key(std::string name, std::uint64_t value, unit in, range allowed, std::string text);
added_key real_key(std::string name, double value, unit in, real_range allowed, std::string text);
added_key flag_key(std::string name, bool value, std::string text);

struct added_policy {
  std::string name;  // a-z, 0-9 and _
  std::string text;  // what it does, without a full stop
  std::vector<added_key> keys;
};

// Adds a row to the list. False, with the reason for registration_errors(), if the policy cannot be added: its name
// is used already, is no name, or the value of a key is out of its range.
bool add_policy(policy_list& list, added_policy policy);

// What went wrong since the last call, a line each; config::load() throws the first one. Policies of a program are
// added before main() begins, when nobody can catch anything.
std::vector<std::string> take_registration_errors();
void note_registration_error(std::string text);

// The values of the keys of one policy.
class policy_values {
 public:
  policy_values() = default;
  explicit policy_values(const added_policy& about);

  // Throw std::logic_error if the policy has declared no such key.
  std::uint64_t number(std::string_view key) const;
  double real(std::string_view key) const;
  bool flag(std::string_view key) const;

  const added_policy* about() const { return about_; }
  void describe(visitor& v);

 private:
  std::size_t index_of(std::string_view key) const;

  const added_policy* about_ = nullptr;
  std::vector<std::variant<bool, std::uint64_t, double>> values_;
};

// The added policies of a list, in the order of their names.
const std::vector<const added_policy*>& added_to(const policy_list& list);

// Modules whose names match the pattern ('*' any characters, '?' one) get the policy `name` of the list, whatever
// their keys say. Before the chip is made. Throws input_error if there is no such policy.
void choose_at(policy_list& list, const std::string& pattern, const std::string& name);
// The same for "PATTERN=POLICY", in the one list that has the policy.
void choose_at(const std::string& text);
// What the module `module` gets: what choose_at() says, else `configured`. Throws input_error if patterns disagree.
const char* chosen_at(const policy_list& list, const char* module, const char* configured);
// The choices that no module has asked for yet, "PATTERN=POLICY", sorted: after the chips are made, patterns that
// match nothing.
std::vector<std::string> unused_choices();

// Part of a configuration structure: the values of all keys of the policies that were added to a list.
template <policy_list& list>
class added_keys {
 public:
  added_keys() {
    for (const added_policy* policy : added_to(list)) of_policy_.emplace_back(*policy);
  }
  // Empty values for a policy of this project.
  const policy_values& of(std::string_view policy) const {
    static const policy_values none;
    for (const policy_values& values : of_policy_)
      if (values.about()->name == policy) return values;
    return none;
  }
  // Describes a group for each policy that has keys.
  void describe(visitor& v) {
    for (policy_values& values : of_policy_)
      if (!values.about()->keys.empty())
        v.group(values.about()->name.c_str(), values, values.about()->text.c_str());
  }

 private:
  std::vector<policy_values> of_policy_;
};

}  // namespace gt200::config
