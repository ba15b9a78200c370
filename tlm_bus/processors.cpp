#include "tlm_bus/processors.h"

#include <sched.h>

#include <algorithm>
#include <thread>

namespace gt200::tlm_bus {

unsigned usable_processors() {
  cpu_set_t usable;
  CPU_ZERO(&usable);
  // It fails on hosts with more processors than the set has room for.
  if (sched_getaffinity(0, sizeof usable, &usable) == 0)
    return static_cast<unsigned>(std::max(1, CPU_COUNT(&usable)));
  return std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace gt200::tlm_bus
