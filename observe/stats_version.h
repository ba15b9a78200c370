// Which schema stats.json has: described in docs/statistics.md, written by stats_writer, read by report/run_files.
#pragma once

namespace gt200::observe {

inline constexpr const char* stats_schema = "gt200.stats";
inline constexpr int stats_schema_version = 1;

}  // namespace gt200::observe
