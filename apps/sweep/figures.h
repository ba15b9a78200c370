// figures.json: the figures of a run in few bytes, summed over its launches and over the chip.
#pragma once

#include <nlohmann/json.hpp>

namespace gt200::apps::sweep {

// From stats.json: how the run ended, cycles, instructions, issue slots by cause ("slots"), the sum of every
// counter by its name without indices ("counters"). docs/statistics.md lists the members.
nlohmann::ordered_json figures_of(const nlohmann::ordered_json& stats);

}  // namespace gt200::apps::sweep
