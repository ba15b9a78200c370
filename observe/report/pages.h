// The pages: one run, and two runs side by side.
#pragma once

#include <string>

#include "observe/report/run_files.h"

namespace gt200::observe::report {

std::string show(const run_files& run);
// The cycles of the second minus those of the first are attributed to causes: the slots of a cause divided by the
// slots per cycle, second minus first. These add up to the difference exactly.
std::string compare(const run_files& first, const run_files& second);

// "1,234,567"
std::string grouped(std::uint64_t number);
// What readers call a cause of stats.json.
std::string text_of_cause(const std::string& cause);
// Its place in the order of causes, which is also its colour.
std::size_t number_of_cause(const std::string& cause);

}  // namespace gt200::observe::report
