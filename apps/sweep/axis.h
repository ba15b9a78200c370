// The axes of a sweep, each an option of `gt200 run` with the values it takes, and the points they span.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apps/sweep/place.h"

namespace gt200::apps::sweep {

struct axis {
  std::string option;  // "--set", "--param", "--config"; "kernel" and "replicate", whose words are given
  std::string key;     // before the '='; empty for --config, kernels and replicates
  std::vector<std::string> values;  // at least one; of kernels: names for tables; of replicates: 1, 2, ...
  std::vector<std::vector<std::string>> given_words;  // of kernels and replicates: for `gt200 run`, for each value
  place at = {};

  bool is_kernel() const { return option == "kernel"; }
  bool is_replicate() const { return option == "replicate"; }
  // Its name in tables: the key, "config", "kernel" or "replicate".
  std::string name() const;
  // The command-line words that choose value number `index`.
  std::vector<std::string> words(std::size_t index) const;
};

// "KEY=VALUES", for --config just "VALUES". VALUES is a list separated by commas; commas within quotes or brackets
// do not separate. An element LO..HI or LO..HI..STEP stands for the integers from LO to HI, both included. Throws
// input_error for no key, no value, a repeated value, and a range that is empty or has more than 10000 numbers.
axis parse_axis(const std::string& option, const std::string& text);

// Replicates: runs of the same machine at another moment, or with other random inputs (docs/sweep.md).
struct replicates {
  unsigned seeds = 0;   // as many input seeds; 0: all have the one of the launch description
  unsigned jitter = 0;  // as many seeds of --jitter; 0: none; if neither is 0, both are equal
  place at = {};

  unsigned count() const { return seeds > jitter ? seeds : jitter; }
};
inline constexpr unsigned max_replicates = 1000;

// Seeds of input and jitter are `first_seed`, `first_seed` + 1, ...; those of jitter begin with 1 if that is 0,
// which would be none.
axis axis_of(const replicates& of, std::uint64_t first_seed);

// One value per axis: its index in axis::values.
using point = std::vector<std::size_t>;

}  // namespace gt200::apps::sweep
