// The members of stats.json that the pages need.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace gt200::observe::report {

// Throws input_error with the file, the path of the first member that is missing or has a wrong type (in the form
// /launches/0/core_cycles), and the expected type.
void check_stats(const nlohmann::ordered_json& stats, const std::string& file);

}  // namespace gt200::observe::report
