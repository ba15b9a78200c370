// Creates a policy by name: from a table with one row for each row of its list (config/policy.h), or by the factory
// of a policy that was added from outside.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "sc_models/config/added_policy.h"

namespace gt200::model {

template <class Function>
struct policy_factory {
  const char* name;
  Function* make;
};

// The factory of the policy `name`; null if the table has none.
template <class Function, std::size_t count>
Function* factory_of(const policy_factory<Function> (&table)[count], std::string_view name) {
  for (const auto& row : table)
    if (name == row.name) return row.make;
  return nullptr;
}

// The factories of the policies that were added to one list.
template <class Product, class Context>
class added_factories {
 public:
  using factory = std::function<std::unique_ptr<Product>(const Context&)>;

  // False if the policy cannot be added (config::add_policy).
  bool add(config::policy_list& list, config::added_policy about, factory make) {
    const std::string name = about.name;
    if (!config::add_policy(list, std::move(about))) return false;
    factories_[name] = std::move(make);
    return true;
  }
  // Throws std::logic_error if there is no such policy.
  std::unique_ptr<Product> make(std::string_view name, const Context& context) const {
    const auto found = factories_.find(name);
    std::unique_ptr<Product> made;
    if (found != factories_.end()) made = found->second(context);
    if (made == nullptr) throw std::logic_error("nothing makes the policy '" + std::string(name) + "'");
    return made;
  }

 private:
  std::map<std::string, factory, std::less<>> factories_;
};

}  // namespace gt200::model
