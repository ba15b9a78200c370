// The figures of a run as its page needs them (page/run.js).
#pragma once

#include "observe/report/run_files.h"

namespace gt200::observe::report {

// Launches, by which the page can be narrowed, at most `detailed_launches` of them, those of most cycles; the sums
// of every kernel; its code; the intervals; and the causes of issue slots with their colours.
inline constexpr std::size_t detailed_launches = 200;
json run_data(const run_files& run);

// All causes: key, text, colour, definition.
json cause_list();

}  // namespace gt200::observe::report
