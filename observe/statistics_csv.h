// Statistics as a table for spreadsheets and data frames, one line per figure of a launch; docs/statistics.md
// describes them. The figures are those of stats.json except those per instruction and per warp. Counters that did
// not change in a launch are omitted.
#pragma once

#include <string>

#include "observe/statistics.h"

namespace gt200::observe {

// RFC 4180, with a header line: launch,kernel,path,value,unit,description.
std::string to_csv(const statistics& source);

}  // namespace gt200::observe
