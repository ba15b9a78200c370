// Time in the model: integer femtoseconds and integer clock edges, nothing else.
//
// Edge n of a clock domain is at n x period. The period is an integer number of femtoseconds computed once from the
// configured frequency, so that both ways of clocking and every compiler agree on the order of edges of different
// domains.
#pragma once

#include <cmath>
#include <cstdint>

namespace gt200::tlm_bus {

using femtoseconds = std::uint64_t;  // wraps after 5.1 hours of simulated time
using cycle_t = std::uint64_t;       // number of a clock edge; edge 0 is at time 0

inline constexpr cycle_t no_cycle = ~cycle_t{0};
inline constexpr femtoseconds no_time = ~femtoseconds{0};

// Period of a clock of `megahertz` (> 0), rounded to the nearest femtosecond.
inline femtoseconds period_of(double megahertz) { return static_cast<femtoseconds>(std::llround(1e9 / megahertz)); }

}  // namespace gt200::tlm_bus
