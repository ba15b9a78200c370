// Charts of a page: the run over time, registers along the code, latencies.
#pragma once

#include <string>

#include "observe/report/latencies.h"
#include "observe/report/run_files.h"

namespace gt200::observe::report {

// Shares of the issue slots, occupancy and DRAM traffic per interval; empty without intervals.
std::string charts_over_time(const run_files& run);
// Live registers and allocated registers per thread, along the code of each kernel.
std::string charts_of_registers(const run_files& run);
std::string charts_of_latencies(const latencies& all);
// Memory accesses by path, in bins of powers of two of their latency; empty without any.
std::string charts_of_paths(const run_files& run);

}  // namespace gt200::observe::report
