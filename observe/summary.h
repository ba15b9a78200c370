// Statistics for human readers: the duration of a run and the use of its issue slots.
#pragma once

#include <string>

#include "observe/statistics.h"

namespace gt200::observe {

// A labelled line: "label         text".
std::string labelled(const std::string& label, const std::string& text);

// Numbers with a thousands separator: 1,234,567.
std::string grouped(std::uint64_t number);

// "45.20 GB/s of 141.7"; with more digits where the peak is small.
std::string rate_of_peak(double rate, const char* unit, double peak);

// One line per launch (or per kernel if there are many), then cycles, IPC, occupancy, cycle accounting as bars,
// memory, caches. Ends with a newline. Empty if there was no launch.
std::string summary(const statistics& source);

}  // namespace gt200::observe
