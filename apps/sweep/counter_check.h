// Finds counters that no chip of a sweep has, before anything runs.
#pragma once

#include <string>
#include <vector>

#include "apps/sweep/definition.h"

namespace gt200::apps::sweep {

// Numbers of points whose configurations to look at for the counters of a sweep. At first those that have a value
// of an axis which none before has, then others, spread over the rest; at most 128.
std::vector<std::size_t> configurations_to_look_at(const std::vector<axis>& axes, const std::vector<point>& points);

struct named_config {
  std::string config;  // as for --config
  words overrides;     // of --set
};

// Builds the chips, each in a process of its own, until every counter has been found in one. Throws input_error for
// a counter that none of them has, with its place and the nearest name, and for one that is named twice.
void check_counters(const std::vector<stated>& counters, const std::vector<named_config>& configs);

}  // namespace gt200::apps::sweep
