// All counters of a part of the chip, found by walking the SystemC hierarchy: no module knows of it.
#pragma once

#include <string>
#include <systemc>
#include <vector>

#include "tlm_bus/counter.h"

namespace gt200::observe {

struct counter_entry {
  std::string path;  // of the module plus the counter's own name: gt200.tpc_3.memory.coalescer.half_warps
  const tlm_bus::counter::attribute* counter = nullptr;
};

// Of `root` and everything below it, in the order of construction. Refers to the modules.
std::vector<counter_entry> counters_below(const sc_core::sc_object& root);

// The path without the name of the chip and the numbers of instances: tpc.memory.coalescer.half_warps.
std::string kind_path(const std::string& path);

}  // namespace gt200::observe
