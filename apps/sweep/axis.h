// What a sweep varies: one option of `gt200 run` and the values it takes, and the points all axes span.
#pragma once

#include <string>
#include <vector>

namespace gt200::apps::sweep {

struct axis {
  std::string option;               // "--set", "--param", "--config"
  std::string key;                  // before the '='; empty for --config
  std::vector<std::string> values;  // at least one

  // What stands for it in tables: the key, or "config".
  std::string name() const;
  // The words of a command line that choose value number `index`.
  std::vector<std::string> words(std::size_t index) const;
};

// "KEY=VALUES", for --config just "VALUES". VALUES is a list divided by commas, of which those within quotes or
// brackets divide nothing; an element LO..HI or LO..HI..STEP stands for the integers from LO to HI, both included.
// Throws input_error for no key, no value, a value twice, and a range that is empty or has more than 10000 numbers.
axis parse_axis(const std::string& option, const std::string& text);

// One value per axis: its index in axis::values.
using point = std::vector<std::size_t>;

// Every combination, the last axis running fastest. Throws input_error when there are more than 100000.
std::vector<point> points_of(const std::vector<axis>& axes);

}  // namespace gt200::apps::sweep
