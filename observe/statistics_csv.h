// Statistics as a table for spreadsheets and data frames: a line per figure of a launch, described in
// docs/statistics.md. The same figures as in stats.json but for those
// by instruction and by warp; counters that did not grow in a launch are left out.
#pragma once

#include <string>

#include "observe/statistics.h"

namespace gt200::observe {

// RFC 4180, with a line of names first: launch,kernel,path,value,unit,description.
std::string to_csv(const statistics& source);

}  // namespace gt200::observe
