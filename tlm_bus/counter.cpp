#include "tlm_bus/counter.h"

#include <stdexcept>
#include <string>

namespace gt200::tlm_bus {

counter::counter(const char* name, const char* unit, const char* description) {
  sc_core::sc_object* owner = sc_core::sc_get_current_object();
  if (owner == nullptr) throw std::logic_error(std::string("counter ") + name + " is not a member of a module");
  auto described = std::make_unique<attribute>(*this, name, unit, description);
  if (!owner->add_attribute(*described))
    throw std::logic_error(std::string(owner->name()) + ": two counters named " + name);
  attribute_ = std::move(described);
}

std::uint64_t counter::sum_of(const sc_core::sc_object& object) {
  std::uint64_t sum = 0;
  const auto& attributes = object.attr_cltn();
  for (auto it = attributes.begin(); it != attributes.end(); ++it)
    if (const auto* c = dynamic_cast<const attribute*>(*it)) sum += c->value();
  return sum;
}

}  // namespace gt200::tlm_bus
