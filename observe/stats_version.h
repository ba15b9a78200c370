// The schema version of stats.json. docs/statistics.md describes the schema, stats_document assembles it,
// report/run_files reads it.
#pragma once

namespace gt200::observe {

inline constexpr const char* stats_schema = "gt200.stats";
inline constexpr int stats_schema_version = 1;

}  // namespace gt200::observe
