// Combinations of front-end options under which programs run: every policy, mechanism and clocking mode, sizes at
// their limits, injected stalls. A set of them covers every pair of values of any two options.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "driver/device.h"

namespace gt200::support {

// One value of an option: its name, and the configuration keys that set it.
struct option_value {
  const char* name;
  std::vector<std::string> overrides;
};
struct front_end_option {
  const char* name;
  std::vector<option_value> values;
};
const std::vector<front_end_option>& front_end_options();

struct front_end_combination {
  std::vector<std::uint8_t> choice;  // by option
  std::uint64_t seed = 0;            // of stalls and of the order of modules

  std::string text() const;  // "policy lrr, mechanism bitmap ..."
  std::vector<std::string> overrides() const;
  tlm_bus::clocking_options clocking() const;
};

// One for each seed from 0 up: of several random draws, the one that adds most pairs to those before it.
std::vector<front_end_combination> front_end_combinations(std::size_t count);

// The pairs of values of two options that occur in the set, and the number of possible pairs.
std::pair<std::size_t, std::size_t> covered_pairs(const std::vector<front_end_combination>& set);

// Every policy with every mechanism and every clocking mode, under some stalls; the other options as in the preset.
std::vector<front_end_combination> all_policies_mechanisms_and_clockings();

}  // namespace gt200::support
