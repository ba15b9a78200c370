// The pages: one run, or two runs side by side.
#pragma once

#include <string>

#include "observe/report/run_files.h"

namespace gt200::observe::report {

std::string show(const run_files& run);
// Attributes the difference in cycles (second run minus first run) to causes. The share of a cause is the
// difference of its slots divided by the slots per cycle. The shares add up to the difference exactly.
std::string compare(const run_files& first, const run_files& second);

// "1,234,567"
std::string grouped(std::uint64_t number);
// The displayed name of a cause of stats.json.
std::string text_of_cause(const std::string& cause);
// The position of a cause in the order of causes, which also selects its colour.
std::size_t number_of_cause(const std::string& cause);

}  // namespace gt200::observe::report
