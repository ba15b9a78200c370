// The results of a sweep as one table, with a row per point.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "apps/sweep/axis.h"

namespace gt200::apps::sweep {

struct row {
  point values;
  int exit_code = 0;               // -1: the point has not ended
  nlohmann::ordered_json figures;  // figures.h; null when the point left none

  bool has_ended() const { return exit_code != -1; }
};

// The figures of a point from its file. Throws input_error for others than `gt200 run` writes.
nlohmann::ordered_json figures_in(const std::string& text, const std::string& file);

// The columns and their meaning, one per line, for the user's help.
std::string column_help();

// CSV by RFC 4180, with a header line: every axis, exit_code, the figures of column_help(), and the sum over the
// chip of every counter in `counters`, each named without indices ("tpc.sm.icache.misses"). Missing figures stay
// empty: those of another chip, and all of a point that left none.
std::string csv(const std::vector<axis>& axes, const std::vector<row>& rows,
                const std::vector<std::string>& counters);

// The columns of csv() that are numbers, by name; empty without figures. A counter that the chip lacks is left out.
std::vector<std::pair<std::string, double>> numbers_of(const row& of, const std::vector<std::string>& counters);

}  // namespace gt200::apps::sweep
