#include "tlm_bus/counter.h"

namespace gt200::tlm_bus {

counter::counter(const std::string& name, const char* unit, const char* description)
    : attribute_(describe_figure(*this, name, unit, description)) {}

std::uint64_t counter::sum_of(const sc_core::sc_object& object) {
  std::uint64_t sum = 0;
  const auto& attributes = object.attr_cltn();
  for (auto it = attributes.begin(); it != attributes.end(); ++it)
    if (const auto* c = dynamic_cast<const attribute*>(*it)) sum += c->value();
  return sum;
}

}  // namespace gt200::tlm_bus
