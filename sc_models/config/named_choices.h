// Which policies are given to modules by their names (choose_at() of added_policy.h). Plain C++.
#pragma once

#include <string_view>

namespace gt200::config {

struct policy_list;

// True if a pattern chooses the policy `name` of the list, whether or not a module has asked for it yet.
bool is_chosen_for_modules(const policy_list& list, std::string_view name);

}  // namespace gt200::config
