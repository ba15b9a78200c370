// The figures of stats.json, which stats_document.h assembles. The same run gives the same bytes; nothing here
// depends on the host.
#pragma once

#include <nlohmann/json.hpp>

#include "observe/statistics.h"

namespace gt200::observe {

// "chip", "launches", "warps", "counters", "histograms": see docs/statistics.md.
nlohmann::ordered_json to_json(const statistics& source);

}  // namespace gt200::observe
