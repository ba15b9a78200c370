#pragma once

#include <cstdint>

namespace gt200::apps {

// The largest number of cycles that an option takes: longer than any run can last, and far from the end of
// simulated time.
inline constexpr std::uint64_t max_option_cycles = 1'000'000'000'000;

}  // namespace gt200::apps
