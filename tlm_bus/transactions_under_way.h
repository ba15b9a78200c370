// The transactions that a port has begun with a component that knows nothing of this project, to find a second
// request or response of one of them.
#pragma once

#include <tlm>
#include <vector>

namespace gt200::tlm_bus {

class transactions_under_way {
 public:
  bool contains(const tlm::tlm_generic_payload& payload) const;
  // `payload` is not under way.
  void begin(const tlm::tlm_generic_payload& payload) { open_.push_back(&payload); }
  // False if it is not under way.
  bool end(const tlm::tlm_generic_payload& payload);

 private:
  std::vector<const tlm::tlm_generic_payload*> open_;  // in no order
};

}  // namespace gt200::tlm_bus
