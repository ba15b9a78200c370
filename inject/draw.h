// Draws sites uniformly over the bits of a structure, in use or not, and the cycles of a run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "inject/site.h"

namespace gt200::inject {

// Core cycles [first, end) in which something runs.
struct cycle_range {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
};
// The cycle number `index` of all ranges together.
std::uint64_t cycle_at(const std::vector<cycle_range>& ranges, std::uint64_t index);
std::uint64_t cycles_in(const std::vector<cycle_range>& ranges);

// A structure as a draw needs it: its modules and their bits.
struct structure_bits {
  struct part {
    std::string module;
    std::uint64_t bits = 0;
  };
  std::string name;
  std::vector<part> parts;
  std::uint64_t bits() const;
};

// The same seed gives the same sites, and the first n of them whatever `count` is. There must be a bit and a cycle.
std::vector<site> draw_sites(const structure_bits& from, const std::vector<cycle_range>& cycles, std::uint64_t seed,
                             std::size_t count);

}  // namespace gt200::inject
