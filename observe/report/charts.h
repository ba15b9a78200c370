// Charts of a page: the run over time, registers along the code, latencies.
#pragma once

#include <string>

#include "observe/report/latencies.h"
#include "observe/report/run_files.h"

namespace gt200::observe::report {

// Shares of the issue slots, occupancy and DRAM traffic per interval; empty if there are no intervals.
std::string charts_over_time(const run_files& run);
// Live registers and allocated registers per thread, along the code of each kernel.
std::string charts_of_registers(const run_files& run);
std::string charts_of_latencies(const latencies& all);
// Latencies and queues with their percentiles; empty if there are none.
std::string table_of_distributions(const run_files& run);

}  // namespace gt200::observe::report
