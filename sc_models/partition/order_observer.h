// Is notified of the order in which a partition performs its accesses; checked runs attach it to the arbiter.
#pragma once

#include <tlm>

#include "tlm_bus/time.h"

namespace gt200::model {

class order_observer {
 public:
  virtual ~order_observer() = default;
  // The arbiter of `partition` has fixed the place of `access` in the order of memory accesses. Address (physical),
  // command, byte enables, store or operand data and extension are those of the request. A global or local load
  // will return the content of memory at this point of the order; a store changes it at this point; an atomic does
  // both. Loads of space `texture` and kind `fill` may be served by caches and return earlier contents of memory.
  virtual void performed(const tlm::tlm_generic_payload& access, unsigned partition, tlm_bus::femtoseconds at) = 0;
};

}  // namespace gt200::model
