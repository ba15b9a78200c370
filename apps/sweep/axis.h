// The axes of a sweep, each an option of `gt200 run` with the values it takes, and the points they span.
#pragma once

#include <string>
#include <vector>

#include "apps/sweep/place.h"

namespace gt200::apps::sweep {

struct axis {
  std::string option;               // "--set", "--param", "--config"; "kernel" for the words of a kernel
  std::string key;                  // before the '='; empty for --config and kernels
  std::vector<std::string> values;  // at least one; of kernels: names for tables
  std::vector<std::vector<std::string>> kernels;  // of kernels: the words for `gt200 run`, for each value
  place at = {};

  bool is_kernel() const { return option == "kernel"; }
  // Its name in tables: the key, "config" or "kernel".
  std::string name() const;
  // The command-line words that choose value number `index`.
  std::vector<std::string> words(std::size_t index) const;
};

// "KEY=VALUES", for --config just "VALUES". VALUES is a list separated by commas; commas within quotes or brackets
// do not separate. An element LO..HI or LO..HI..STEP stands for the integers from LO to HI, both included. Throws
// input_error for no key, no value, a repeated value, and a range that is empty or has more than 10000 numbers.
axis parse_axis(const std::string& option, const std::string& text);

// One value per axis: its index in axis::values.
using point = std::vector<std::size_t>;

}  // namespace gt200::apps::sweep
