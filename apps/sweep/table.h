// The results of a sweep as one table, a row per point.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/sweep/axis.h"

namespace gt200::apps::sweep {

struct row {
  point values;
  int exit_code = 0;
  nlohmann::ordered_json stats;  // content of the point's stats.json; null when it left none
};

// Names of the columns with what they mean, one per line: for the user's help.
std::string column_help();

// CSV as RFC 4180 has it, with a line of names first: every axis, exit_code, the figures of column_help(), and the
// sum over the chip of every counter in `counters`, each named without indices ("tpc.sm.icache.misses"). What a
// point has no figure for stays empty. Throws input_error for a counter that none of the results has.
std::string csv(const std::vector<axis>& axes, const std::vector<row>& rows,
                const std::vector<std::string>& counters);

}  // namespace gt200::apps::sweep
