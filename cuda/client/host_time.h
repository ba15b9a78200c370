// Time of the program as the model has it: what its calls take, and nothing for what it does itself.
#pragma once

#include <cstdint>

namespace gt200::cudart {

// Femtoseconds since the program began; of all its devices.
std::uint64_t host_time();
// Does nothing if it is later already.
void pass_host_time_to(std::uint64_t femtoseconds);
// The same, after another reading of a clock, so that a program that waits for a time comes to it.
std::uint64_t host_time_at_reading();

}  // namespace gt200::cudart
