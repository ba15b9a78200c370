#include "tlm_bus/transactions_under_way.h"

#include <algorithm>

namespace gt200::tlm_bus {

bool transactions_under_way::contains(const tlm::tlm_generic_payload& payload) const {
  return std::find(open_.begin(), open_.end(), &payload) != open_.end();
}

bool transactions_under_way::end(const tlm::tlm_generic_payload& payload) {
  const auto found = std::find(open_.begin(), open_.end(), &payload);
  if (found == open_.end()) return false;
  *found = open_.back();
  open_.pop_back();
  return true;
}

}  // namespace gt200::tlm_bus
