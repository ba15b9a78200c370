// The axes of a sweep, each an option of `gt200 run` with the values it takes, and the points they span.
#pragma once

#include <string>
#include <vector>

namespace gt200::apps::sweep {

struct axis {
  std::string option;               // "--set", "--param", "--config"
  std::string key;                  // before the '='; empty for --config
  std::vector<std::string> values;  // at least one

  // Its name in tables: the key, or "config".
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

// Every combination; the last axis runs fastest. Throws input_error for more than 100000.
std::vector<point> points_of(const std::vector<axis>& axes);

}  // namespace gt200::apps::sweep
