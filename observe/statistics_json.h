// Statistics as JSON: schema "gt200.stats", version 1, described in docs/statistics.md. The same run gives the same
// bytes; nothing in here depends on the host.
#pragma once

#include <nlohmann/json.hpp>

#include "observe/statistics.h"

namespace gt200::observe {

inline constexpr int statistics_schema_version = 1;

// "chip", "launches", "counters": see docs/statistics.md. The caller adds what it knows of the run.
nlohmann::ordered_json to_json(const statistics& source);

}  // namespace gt200::observe
