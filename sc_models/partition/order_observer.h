// Sees the order in which a partition's accesses happen; attached to its arbiter by checked runs.
#pragma once

#include <tlm>

#include "tlm_bus/time.h"

namespace gt200::model {

class order_observer {
 public:
  virtual ~order_observer() = default;
  // The arbiter of `partition` has fixed the place of `access` in the order of memory. Address (physical), command,
  // byte enables, store or operand data and extension are those of the request. A global or local load will return
  // what memory holds at this point of the order, a store changes it at this point, an atomic does both; loads of
  // space `texture` and kind `fill` may be served by caches and return what memory held earlier.
  virtual void performed(const tlm::tlm_generic_payload& access, unsigned partition, tlm_bus::femtoseconds at) = 0;
};

}  // namespace gt200::model
