// Programs of sm_70 in which every instruction waits for the one before.
#pragma once

#include <cstdint>
#include <string>

namespace gt200::timing {

inline constexpr unsigned chain_links = 16;  // instructions of one kind in a round

// Bodies of programs whose R2 and R3 hold an address. A round takes the latencies of its links and a loop's own
// instructions.
// Loads zeros: the address of each is the sum of what the one before has loaded, its address, and `stride` bytes.
std::string load_chain(const std::string& load, std::uint32_t stride, unsigned rounds);
// Loads of shared memory, which holds zeros, by `LDS R8, [R8]`.
std::string shared_chain(unsigned rounds);
// Fetches of the first texel of the texture that the first literal names, each behind the one before.
std::string texture_chain(unsigned rounds);

// Core cycles that a link of load_chain() takes, of what a round takes.
double load_latency_of(double round);

inline constexpr unsigned chained_operations = 40;
// A program of its own with the parameter `out`: `operation` so often, each with this stall, on R8, or R8 and R9 if
// it is wide, which are zero before. Stores R8 and R9. R4 and R5 are 1 of double, R6 of single precision, R12 an
// integer. `reader` stands behind each operation, with a stall that is long enough; empty: the next operation is
// the reader.
std::string arithmetic_chain(const std::string& operation, unsigned stall, const std::string& reader = "");

}  // namespace gt200::timing
