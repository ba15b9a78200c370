#include "inject/fault_space.h"

#include <algorithm>

#include "toolchain/error.h"

namespace gt200::inject {

std::uint64_t structure::bits() const {
  std::uint64_t sum = 0;
  for (const storage_part& part : parts) sum += part.bits;
  return sum;
}

fault_space::fault_space(const sc_core::sc_object& chip) : chip_(chip.name()) {
  for (sc_core::sc_object* child : chip.get_child_objects()) add(*child);
}

void fault_space::add(sc_core::sc_object& object) {
  if (auto* storage = dynamic_cast<tlm_bus::injectable*>(&object); storage != nullptr && storage->bits() != 0) {
    auto found = std::find_if(structures_.begin(), structures_.end(),
                              [&](const structure& s) { return s.name == storage->structure(); });
    if (found == structures_.end())
      found = structures_.insert(structures_.end(), structure{storage->structure(), {}});
    found->parts.push_back({object.name(), storage, storage->bits()});
  }
  for (sc_core::sc_object* child : object.get_child_objects()) add(*child);
}

const storage_part& fault_space::find(const std::string& module) const {
  for (const structure& s : structures_)
    for (const storage_part& part : s.parts)
      if (part.module == module || part.module == chip_ + "." + module) return part;
  throw input_error(module, 0, "no module of this chip with bits that can be flipped has this name");
}

}  // namespace gt200::inject
