// The pages: one run, or two runs side by side.
#pragma once

#include <string>

#include "observe/report/run_files.h"

namespace gt200::observe::report {

std::string show(const run_files& run);
// Attributes the cycles of the second run minus those of the first to causes: the slots of a cause divided by the
// slots per cycle, second minus first. These add up to the difference exactly.
std::string compare(const run_files& first, const run_files& second);

// "1,234,567"
std::string grouped(std::uint64_t number);
// The name readers see for a cause of stats.json.
std::string text_of_cause(const std::string& cause);
// The place of a cause in the order of causes, which also chooses its colour.
std::size_t number_of_cause(const std::string& cause);

}  // namespace gt200::observe::report
