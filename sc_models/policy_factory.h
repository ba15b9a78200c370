// Creates a policy by name from a table with one row for each row of its list (config/policy.h).
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace gt200::model {

template <class Function>
struct policy_factory {
  const char* name;
  Function* make;
};

// The factory of the policy `name`; throws std::logic_error if the table has none.
template <class Function, std::size_t count>
Function& factory_of(const policy_factory<Function> (&table)[count], std::string_view name) {
  for (const auto& row : table)
    if (name == row.name) return *row.make;
  throw std::logic_error("no factory makes the policy '" + std::string(name) + "'");
}

}  // namespace gt200::model
