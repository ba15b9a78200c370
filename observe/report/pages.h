// The pages: one run, or two runs side by side.
#pragma once

#include <string>

#include "observe/report/run_files.h"

namespace gt200::observe::report {

// explorer: with a script, if the program was built with the library for its charts; otherwise the page is static
// and says so. fixed: static.
enum class page_style : std::uint8_t { explorer, fixed };

std::string show(const run_files& run, page_style style = page_style::explorer);
// Attributes the difference in cycles (second run minus first run) to causes. The share of a cause is the
// difference of its slots divided by the slots per cycle. The shares add up to the difference exactly.
std::string compare(const run_files& first, const run_files& second, page_style style = page_style::explorer);

// "1,234,567"
std::string grouped(std::uint64_t number);

}  // namespace gt200::observe::report
