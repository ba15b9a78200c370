// What happens next to the bit of a site in a run without faults: it is read, written, or neither. A flipped bit
// that is written before it is read, or never used again, cannot change anything.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "driver/device.h"
#include "inject/fault_space.h"
#include "inject/site.h"
#include "tlm_bus/injectable.h"

namespace gt200::inject {

enum class next_access : std::uint8_t { unknown, none, read, write };
const char* name_of(next_access access);

class next_accesses {
 public:
  // Before the run. Sites in storage that cannot tell of its accesses stay unknown. The device must outlive it.
  next_accesses(device& target, const std::vector<site>& sites);
  ~next_accesses();
  next_accesses(const next_accesses&) = delete;
  next_accesses& operator=(const next_accesses&) = delete;

  // By site, in their order; after the run.
  std::vector<next_access> result() const { return result_; }

 private:
  class module_watch;
  std::vector<next_access> result_;
  std::vector<std::unique_ptr<module_watch>> watches_;
};

}  // namespace gt200::inject
