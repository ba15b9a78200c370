// Compares the logs of two traced runs, event by event and value by value.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>

namespace gt200::observe {

struct log_comparison {
  std::string a, b;          // paths of the logs
  bool times = true;         // false: the order and contents of records count, their times do not
  std::size_t modules = 20;  // how many the report shows at most; 0 = all
};

// The outcome of a comparison.
struct log_difference {
  std::size_t differing = 0;   // places and signals of both logs whose records are not the same
  std::string loss_a, loss_b;  // see log_reader::loss()
};

// Compares what both logs have: places and signals of the same path. Writes for each module the first record that
// is another one, by time, and at last how many places and signals differ. Throws input_error as log_reader does.
log_difference write_difference(const log_comparison& compared, std::ostream& to);

}  // namespace gt200::observe
