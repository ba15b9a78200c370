// The border of a TPC: how much of each latency lies on the connections that cross it.
//
// TPCs run by themselves in windows (tlm_bus/clocking.h). Whatever crosses the border of a TPC takes at least one
// window, so the window is the shortest of these latencies. docs/threads.md explains it.
#pragma once

#include <cstdint>
#include <string>

#include "sc_models/config/chip_config.h"

namespace gt200::config {

struct cluster_border {
  std::uint32_t window_cycles;  // uncore cycles
  std::string limited_by;       // the key that determines it; several may have the same value
  // Of the latency of the crossbar, the part between the port of a source and the switch, in each direction.
  std::uint32_t crossbar_link_cycles;
};

cluster_border border_of(const gpu_config& config);

}  // namespace gt200::config
