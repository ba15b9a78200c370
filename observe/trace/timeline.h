// Converts the log of a traced run to a timeline for Perfetto and Chrome: JSON trace events.
//
// Processes: the chip (grids, counters), every SM (blocks and warps by slot), every partition (memory transactions
// from arrival at the arbiter to the response, DRAM commands by bank). Counters, averaged over 256 core cycles:
// warp instructions per core cycle of the chip, resident warps, requests waiting at each partition, DRAM bandwidth.
// Times are microseconds of simulated time.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "observe/trace/log_reader.h"

namespace gt200::observe {

// The signals that the timeline needs in the log.
std::vector<std::string> signals_of_timeline();
void write_timeline(log_reader& log, std::ostream& to);

}  // namespace gt200::observe
