// A window of core cycles, as text A:B: from A up to, not including, B; either may be missing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tlm_bus/time.h"

namespace gt200::observe {

// The largest number of cycles that an option takes: longer than any run can last, and far from the end of
// simulated time.
inline constexpr std::uint64_t max_option_cycles = 1'000'000'000'000;

struct cycle_window {
  tlm_bus::cycle_t begin = 0;
  tlm_bus::cycle_t end = tlm_bus::no_cycle;

  bool whole() const { return begin == 0 && end == tlm_bus::no_cycle; }
};

// Reads "A:B", "A:" or ":B". Nothing when it is none of these.
std::optional<cycle_window> window_of(const std::string& text);

}  // namespace gt200::observe
